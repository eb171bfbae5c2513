"""The recipes of docs/scale.md run as they are written, each where its engine is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from devtools.places import ROOT
from tests.sampling import amount

_RECIPES = re.findall(
    r"```python\n# (\w+)\n(.*?)```", (ROOT / "docs" / "scale.md").read_text(encoding="utf-8"), re.DOTALL
)
_RUN = _RECIPES[: amount(4, 2, risk="a recipe that a version of Spark or Ray breaks: each takes a minute to start")]
_LOCAL = {"ray": "import ray\n\nray.init(num_cpus=1, include_dashboard=False, _node_ip_address='127.0.0.1')\n"}
"""What keeps an engine on this machine."""
_RULE = "chat-reply-field-wrong-type"


def test_the_page_has_a_recipe_for_each_engine() -> None:
    assert [engine for engine, _ in _RECIPES] == ["duckdb", "dask", "pyspark", "ray"]


@pytest.mark.process
@pytest.mark.parametrize(("engine", "code"), _RUN, ids=[engine for engine, _ in _RUN])
def test_a_recipe_finds_what_check_finds(engine: str, code: str, tmp_path: Path) -> None:
    if find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    if engine == "pyspark" and shutil.which("java") is None:
        pytest.skip("java is not installed")
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    url = "https://api.openai.com/v1/chat/completions"
    rows = [
        {
            "id": f"{number}",
            "conversation": f"c{number % 3}",
            "request_url": url,
            "request_body": json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": "Hi"}]}),
            "response_status": 200,
            "response_body": json.dumps({"id": number, "choices": []}),
        }
        for number in range(6)
    ]
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "traffic.parquet")
    (tmp_path / "recipe.py").write_text(_LOCAL.get(engine, "") + code)
    quiet = {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_raylet_start_wait_time_s": "300",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    environment = {**os.environ, **quiet, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    run = subprocess.run(
        [sys.executable, "recipe.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert _RULE.removesuffix("-wrong-type")[:12] in run.stdout
