"""Runs revisions on the connection that ``sql_migrate`` opened, inside its transaction."""

from __future__ import annotations

from alembic import context

from core.adapters.sql_schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
