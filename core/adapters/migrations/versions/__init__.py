"""Schema revisions, oldest first. A released revision is never edited."""
