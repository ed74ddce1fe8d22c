"""The lock: `make install` and the image install exactly the reviewed files, and all of them."""

import re
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
RUN, TORCH = "requirements.lock", "requirements-torch.lock"
PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>.+?))?(?P<hashes>(?: \\\n +--hash=sha256:\w{64})+)$"
)


def pins(name):
    """Each pin of a lock, which has hashes: its name, version and marker."""
    text = "\n".join(line for line in (ROOT / name).read_text("utf-8").splitlines() if not line.startswith("#"))
    entries = re.split(r"\n(?=\w)", text)
    found = [PIN.fullmatch(entry) for entry in entries]
    assert all(found), [entry[:80] for entry, pin in zip(entries, found, strict=True) if not pin]
    return [pin.groupdict() for pin in found]


def here(name):
    """Name → the version that a lock gives this machine."""
    return {
        canonicalize_name(pin["name"]): pin["version"]
        for pin in pins(name)
        if not pin["marker"] or Marker(pin["marker"]).evaluate()
    }


def asked(name):
    """The requirements in a file, and in the files it includes."""
    for line in (ROOT / name).read_text("utf-8").splitlines():
        if line.startswith("-r "):
            yield from asked(line[3:])
        else:
            yield Requirement(line)


def test_what_is_asked_for_is_locked_within_its_range():
    locked = here(RUN) | here(TORCH)
    stale = [
        str(one)
        for one in asked("requirements.txt")
        if not one.specifier.contains(locked.get(canonicalize_name(one.name), ""))
    ]
    assert stale == [], "run `make lock`"


def test_the_package_and_its_extras_ask_for_what_the_requirements_do():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    parts = [*project["dependencies"], *extras["dashboard"], *extras["embedding"], *extras["postgres"]]
    assert sorted(parts) == sorted((ROOT / "requirements.txt").read_text("utf-8").split("\n")[:-1])
    assert extras["cluster"][0] in (ROOT / "requirements-cluster.txt").read_text("utf-8")


def needs_of(name):
    """The requirements of a package; none if it is not installed here."""
    with suppress(PackageNotFoundError):
        return [Requirement(each) for each in requires(name) or ()]
    return []


@pytest.mark.parametrize("lock", [RUN, TORCH])
def test_every_package_has_hashes_and_none_says_where_it_lies(lock):
    assert pins(lock)
    assert not re.search(r"://|--(extra-)?index|@", (ROOT / lock).read_text("utf-8"))


def test_nothing_brings_cuda():
    names = {pin["name"] for pin in pins(RUN)}
    assert [name for name in names if re.match("nvidia|cuda|triton|torch", name)] == []


def test_whatever_a_package_needs_is_locked_too():
    """So that `--no-deps` leaves nothing out."""
    locked = here(RUN) | here(TORCH)
    missing = []
    for name in locked:
        with suppress(PackageNotFoundError):
            if version(name).partition("+")[0] != locked[name]:
                continue  # this environment is made from the ranges, and has another version
        for need in needs_of(name):
            if not need.marker or need.marker.evaluate({"extra": ""}):
                found = locked.get(canonicalize_name(need.name))
                if found is None or not need.specifier.contains(found, prereleases=True):
                    missing.append(f"{name} needs {need}, locked is {found}")
    assert missing == []


def test_the_lock_knows_what_the_cpu_build_of_torch_needs():
    (told,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]["dependency-metadata"]
    assert told["version"] == here(TORCH)["torch"]
    if version("torch") == f"{told['version']}+cpu":
        assert sorted(told["requires-dist"]) == sorted(each for each in requires("torch") if "extra ==" not in each)


def test_everything_is_installed_by_the_lock_alone():
    make, image = ((ROOT / name).read_text("utf-8") for name in ("Makefile", "Dockerfile"))
    flags = set(re.search(r"^LOCKED := (.+)$", make, re.MULTILINE)[1].split())
    assert {"--require-hashes", "--no-deps", "--no-build-isolation"} <= flags
    (recipe,) = re.findall(r"^\$\(VENV\)/installed: .+\n((?:\t.+\n)+)", make, re.MULTILINE)
    installs = re.findall(r"pip install (.+)", recipe)
    assert [line for line in installs if not line.startswith("$(LOCKED)")] == [
        "--quiet --no-deps --no-build-isolation --editable .; fi"
    ]
    assert f"COPY Makefile {RUN} {TORCH} ./" in image
    assert re.search(r"^run: install$", make, re.MULTILINE)
    assert "make install LOCKED_ONLY=1" in image
    assert 'test -z "$(LOCKED_ONLY)" && ! grep -q "DO NOT MATCH THE HASHES"' in recipe  # else the ranges decide
    assert all("--no-deps --no-build-isolation" in line for line in re.findall(r"pip install .+", image))


def test_what_else_the_workflows_run_is_pinned():
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    used = [action for each in workflows for action in re.findall(r"uses: (\S+)", each.read_text("utf-8"))]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
