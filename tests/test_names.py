"""Names are nouns, and one name has one job. What is left of either is counted, and may only fall."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = [*ROOT.glob("app.py"), *(ROOT / "pages").rglob("*.py"), *(ROOT / "trace_core").rglob("*.py")]
MOST = 91
"""Terms of the contract (`utilized`, `expected`, `fully_supported`, `undefined`, …) and those that are left."""
IRREGULAR = set(
    "begun bought bound broken brought built caught chosen done drawn fallen found given gone got grown held hidden "
    "kept known lost made meant met paid said seen sent shown sold spent spoken taken taught thought told worn "
    "written".split()
)
NOUNS = {"bed", "embed", "feed", "need", "seed", "shed", "speed", "thought", "hundred"}


def names(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def is_participle(name):
    """Whether the last word of a name is one; of `LastWord` it is "word"."""
    last = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)[-1:] or [name]
    word = last[0].lower()
    return word not in NOUNS and (word in IRREGULAR or (word.endswith("ed") and len(word) > 4))


def test_participles_as_names_do_not_come_back():
    participles = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in PRODUCT
        for name in sorted(set(names(file.read_text("utf-8"))))
        if is_participle(name)
    ]
    assert len(participles) <= MOST, participles


def types(source):
    """A module's classes and other names for types, all written as `Record`; a type variable is one letter."""
    for node in ast.parse(source).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node
        name = target.id if isinstance(target, ast.Name) else node.name if isinstance(node, ast.ClassDef) else ""
        if name[:1].isupper() and not name.isupper():
            yield name


def test_a_class_or_a_name_for_a_type_is_defined_in_one_module():
    modules = Counter(name for file in PRODUCT for name in set(types(file.read_text("utf-8"))))
    assert [name for name, n in modules.items() if n > 1] == []


def test_the_last_word_decides():
    assert [name for name in ("found", "_kept", "rows_listed", "Examined") if not is_participle(name)] == []
    assert [name for name in ("matches", "asked_rows", "seed", "speed", "RunColumns") if is_participle(name)] == []


def test_only_names_written_as_types_count():
    source = "class Record: ...\nRows = list[str]\nT = TypeVar('T')\nLIMIT = 3\nname = 'a'\ndef Function(): ..."
    assert list(types(source)) == ["Record", "Rows"]


def test_a_tests_name_is_one_behaviour_in_eighty_characters():
    texts = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    assert [name for text in texts for name in re.findall(r"def (test_\w+)", text) if len(name) > 80] == []
