"""Settings: people, rights, and the state of every part."""
