"""The owner's screen: what is due, each source with its versions, flags and quarantine."""
