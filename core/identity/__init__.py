"""Users, roles and what they may see."""
