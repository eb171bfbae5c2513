"""The catalogue of operators. A new one is a decorated function in a module here."""
