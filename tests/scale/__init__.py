"""Tests of the room `scale`."""
