"""Virtual environments with the packages of this one, but not its TRACE."""

import subprocess
import sys
from pathlib import Path


def environment(folder: Path, python: str = sys.executable) -> Path:
    """Made by an interpreter of this one's version; returns the folder."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    packages = [path for path in sys.path if path.endswith("-packages")]
    (site,) = folder.glob("lib/*/site-packages")
    (site / "needed.pth").write_text("".join(f"{path}\n" for path in packages), "utf-8")
    return folder


def for_everyone() -> str | None:
    """An interpreter of this one's version that every user of this machine may run; `None` where there is none."""
    system = Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    for path in (Path(sys.executable).resolve(), system):
        if path.is_file() and all(part.stat().st_mode & 0o005 == 0o005 for part in (path, *path.parents)):
            return str(path)
    return None
