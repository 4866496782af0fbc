"""Views: a tree and its decisions, made visible."""
