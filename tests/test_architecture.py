"""The architecture: imports follow the layers, doors import nothing heavy."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "changing.md").read_text(encoding="utf-8")
FLOOR = {
    room: int(floor)
    for floor, rooms in re.findall(r"^\| (\d) [^|]*\| ([^|]*) \|$", MAP, re.MULTILINE)
    for room in re.findall(r"`(\w+)`", rooms)
}
TOP = {
    *"app.py pages trace_core tests bench docs .streamlit .ci .github README.md LICENSE Makefile Dockerfile".split(),
    *"pyproject.toml .dockerignore .gitignore".split(),
    *(f"requirements{name}" for name in (".txt", ".lock", "-torch.lock", "-dev.txt", "-cluster.txt", "-ragas.txt")),
}


def test_the_top_level_holds_only_what_has_its_place_there():
    """What a program leaves behind while somebody tries it must not be committed."""
    listed = subprocess.run(["git", "ls-tree", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no repository here")
    assert set(listed.stdout.split()) <= TOP


def sources(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


CORE = sources("trace_core")


def module(path):
    """trace_core/retrieval/client.py → trace_core.retrieval.client."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(name):
    """trace_core.retrieval.client → retrieval; the package itself is not a room."""
    return name.split(".")[1] if name.count(".") else ""


def door(name):
    """The `__init__.py` of a package, whether it exists or not."""
    return ROOT.joinpath(*name.split("."), "__init__.py")


@cache
def imports(path):
    """Every module that the file imports, at any level of nesting."""
    return set(named(path))


def named(path):
    package = module(path) if path.name == "__init__.py" else module(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


MODULES = {module(path) for path in CORE}
GRAPH = {module(path): {name for name in imports(path) if name in MODULES} for path in CORE}


def test_every_room_has_its_floor_and_every_floor_its_rooms():
    assert {room(name) for name in MODULES} - {""} == set(FLOOR)


def test_imports_never_go_up():
    up = {(name, o) for name, used in GRAPH.items() for o in used if FLOOR.get(room(o), 0) > FLOOR.get(room(name), 5)}
    assert up == set()


def test_only_what_people_touch_uses_the_package_by_its_door():
    """An import of `trace_core` itself from below would import everything."""
    direct = {name for name, used in GRAPH.items() if "trace_core" in used and name != "trace_core"}
    # `from trace_core import library` yields the package and the module: only that is allowed.
    for path in CORE:
        if module(path) in direct and room(module(path)) not in ("commands", "__main__"):
            names = {n for n in imports(path) if n.startswith("trace_core.")}
            assert names & MODULES, module(path)
            assert not {n for n in names if n.count(".") == 1 and n not in MODULES}, module(path)


def test_no_circles_among_rooms():
    rooms = {}
    for name, used in GRAPH.items():
        if room(name):
            rooms.setdefault(room(name), set()).update({room(other) for other in used} - {"", room(name)})
    TopologicalSorter(rooms).prepare()  # CycleError contains the cycle


def folder(name):
    """trace_core.runs.files.svg → trace_core.runs.files; a module that is itself a room is unchanged."""
    return name if name.count(".") < 2 else name.rpartition(".")[0]


def test_no_circles_among_folders():
    """The folders of a room have an order, too. Imports of a folder's door (its `__init__`) are not counted."""
    below = {}
    for path in CORE:
        if not path.stem.startswith("__"):
            used = {folder(name) for name in GRAPH[module(path)] if not door(name).exists()}
            below.setdefault(folder(module(path)), set()).update(used - {folder(module(path))})
    TopologicalSorter(below).prepare()


def test_no_circles_among_modules():
    within = {name: {o for o in used if o != name and not name.startswith(f"{o}.")} for name, used in GRAPH.items()}
    TopologicalSorter({n: u for n, u in within.items() if n in MODULES}).prepare()


@pytest.mark.parametrize("never", ["streamlit", "pages", "app"])
def test_the_core_never_imports_what_draws_it(never):
    assert [module(path) for path in CORE if never in {name.split(".")[0] for name in imports(path)}] == []


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, trace_core; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = "torch onnxruntime tokenizers scipy sentence_transformers transformers streamlit qdrant_client".split()
    heavy += "pandas openai numpy pydantic".split()
    assert "trace_core" in loaded.stdout.split()
    assert set(heavy) & set(loaded.stdout.split()) == set()


def test_every_chart_on_a_page_has_a_title():
    drawn = {path.name for path in sources("pages") if "plotly_chart(" in path.read_text(encoding="utf-8")}
    assert drawn == {"chart.py"}
