"""Tool definitions against profiles: where they are accepted, what is lost, and what is refused."""
