"""The parts of llama3-builtin that only some uses need."""
