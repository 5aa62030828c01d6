"""What every page stands in: sign-in, the guard, the server around Streamlit, and the desks."""
