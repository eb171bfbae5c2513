"""What all tests share is in `setup_of_all`. Where the packages of the `dev` extra are not installed, only the cells of
`pytest --conformance-matrix` run, which need none of them."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("hypothesis") is None:
    collect_ignore_glob = ["*"]
else:
    pytest_plugins = ["tests.setup_of_all"]
