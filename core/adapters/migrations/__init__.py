"""Alembic's environment and the schema revisions; ``core.adapters.sql_migrate`` runs them."""
