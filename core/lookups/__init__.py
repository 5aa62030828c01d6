"""The company's own read tools: orders, customers, earlier cases, return rules, refunds.

Each is a ``ReadTool`` over ports; nothing here knows a database or a language model.
"""
