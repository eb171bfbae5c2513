"""What is known of each provider, model and time, as data; and what tool definitions they accept."""
