"""The supervisor's screen: the board and the packet of each escalation."""
