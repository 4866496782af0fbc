"""The executable specification of decision trees."""

__version__ = "0.1.0"
