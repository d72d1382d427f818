"""providers/microsoft."""
