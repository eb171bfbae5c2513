"""Small gateways that are right, or wrong in one way that the name of the model asks for."""
