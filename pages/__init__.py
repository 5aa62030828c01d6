"""Screens, one folder each. A loose file here would be served without sign-in."""
