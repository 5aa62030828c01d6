"""Cases, leases, decisions, outbox and the audit chain."""
