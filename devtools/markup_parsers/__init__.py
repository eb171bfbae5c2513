"""Compares the parsers of vLLM, SGLang and llama.cpp with ours: `python -m devtools.markup_parsers`."""
