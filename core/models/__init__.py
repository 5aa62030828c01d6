"""The contract: frozen models that stages, stores and pages exchange."""
