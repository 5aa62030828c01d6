"""The supervisor's record: the chain, every decision, and what was known when it was made."""
