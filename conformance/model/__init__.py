"""The words that everything else speaks: exchanges, transcripts, findings, places, JSON text, streams, dialects."""
