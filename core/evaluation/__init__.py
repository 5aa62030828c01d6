"""Golden set, metrics, benches and the inspector."""
