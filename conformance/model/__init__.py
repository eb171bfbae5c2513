"""The shared types: exchanges, transcripts, findings, places, JSON text, streams, dialects."""
