"""The proxy in front of programs of other projects, with a kill in between: `make proxies`, which needs registries."""
