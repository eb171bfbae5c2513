"""The local server that plays the provider's side of a scenario in every dialect."""
