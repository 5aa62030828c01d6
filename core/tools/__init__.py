"""Read tools: what a tool is (``ports``), its typed arguments, and the toolbox that calls them.

The company's own tools are in ``core.lookups``; those of a connected database in
``core.adapters.connector_*``.
"""
