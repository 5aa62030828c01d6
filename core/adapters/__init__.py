"""One vendor a module: everything the core reaches the world through."""
