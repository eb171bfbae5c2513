"""Modules of llama3-custom that are loaded on demand."""
