"""One question through every stage, for everyone within their rights."""
