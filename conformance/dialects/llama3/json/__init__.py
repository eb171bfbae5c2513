"""The parts of llama3-json that only some uses need."""
