"""Pure functions over text: no state, no vendor services, no clock."""
