"""Modules of llama3-builtin that are loaded on demand."""
