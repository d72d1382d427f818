"""mime."""
