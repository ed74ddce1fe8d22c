"""One spelling for a judge's words: whatever dashes, brackets, quotes, digits and marks it writes, they are ASCII."""

from __future__ import annotations

import unicodedata

_SIGNS = {
    " ": "*`^#\"'´„‚",
    "-": "−⁃→⇒➔➜",
    ",": "、،•·・‧∙◦●▪",
    ";": "؛",
    "~": "〜∼",
    "(": "[{<",
    ")": "]}>",
}
_BY_CATEGORY = {"Cf": "", "Pd": "-", "Ps": "(", "Pe": ")", "Pi": " ", "Pf": " "}
"""Invisible characters go, such as a space of no width."""


class _Table(dict[int, str]):
    """For `str.translate`; it leaves a character as it is where this raises `KeyError`."""

    def __missing__(self, code: int) -> str:
        if code < 128:
            raise KeyError(code)
        category = unicodedata.category(chr(code))
        return str(unicodedata.decimal(chr(code))) if category == "Nd" else _BY_CATEGORY[category]


_TABLE = _Table({ord(sign): ascii_sign for ascii_sign, signs in _SIGNS.items() for sign in signs})


def plain(text: str) -> str:
    """The text in lower case without marks of emphasis and quotes, its brackets round, its digits 0 to 9."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return text.replace("->", "-").replace("=>", "-").translate(_TABLE).lower()
