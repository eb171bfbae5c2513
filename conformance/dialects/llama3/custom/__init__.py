"""The parts of llama3-custom that only some uses need."""
