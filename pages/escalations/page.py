"""Stub."""
import streamlit as st
st.write("soon")
