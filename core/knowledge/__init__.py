"""Ownership, freshness, versions and impact of sources."""
