"""Modules of llama3-json that are loaded on demand."""
