"""providers/google."""
