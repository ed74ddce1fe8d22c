"""Every import of the dashboard finds what it names: type checks do not read the pages."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
OURS = ("pages", "trace_core")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_everything_imported_from_our_own_modules_is_there(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in OURS:
            module = import_module(str(node.module))
            for name in (alias.name for alias in node.names):
                assert hasattr(module, name) or find_spec(f"{node.module}.{name}"), f"{node.module} has no {name}"
