"""Antonyms, sister terms and synonyms of English words, from the files of Debian's `wordnet-base`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path("/usr/share/wordnet")
_POS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_MOST_SISTERS = 12


@dataclass
class Synset:
    """Words that share a meaning, and the targets of its pointers."""

    words: list[str]
    hypernyms: list[str] = field(default_factory=list)
    hyponyms: list[str] = field(default_factory=list)
    opposites: list[tuple[int, str, int]] = field(default_factory=list)


class WordNet:
    """Relations of single, lower-case, common words, by their most frequent meaning."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._synsets: dict[str, Synset] = {}
        self._senses: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self._tagged: dict[str, dict[str, int]] = defaultdict(dict)
        for pos in ("noun", "verb", "adj", "adv"):
            self._read_data(folder / f"data.{pos}", pos)
            self._read_index(folder / f"index.{pos}", pos)

    def part(self, word: str) -> str:
        """The part of speech in which the word has the most tagged senses; empty if unknown."""
        counts = self._tagged.get(word, {})
        return max(counts, key=lambda pos: counts[pos]) if counts else ""

    def opposites(self, word: str) -> list[str]:
        """Antonyms of any common meaning."""
        found = []
        for pos, senses in self._senses.get(word, {}).items():
            for synset in (self._synsets[s] for s in senses[:3]):
                for source, other, target in synset.opposites:
                    if word in synset.words and (source == 0 or synset.words[source - 1] == word):
                        words = self._synsets[other].words
                        found += words[:1] if target == 0 else [words[target - 1]]
                        assert pos
        return [w for w in dict.fromkeys(found) if w.isalpha()]

    def sisters(self, noun: str) -> list[str]:
        """Other common nouns under the same hypernym, in the noun's first meaning."""
        senses = self._senses.get(noun, {}).get("noun", [])
        if not senses:
            return []
        found = []
        for parent in self._synsets[senses[0]].hypernyms:
            for child in self._synsets[parent].hyponyms:
                words = self._synsets[child].words
                if child != senses[0] and noun not in words:
                    found += [w for w in words[:1] if self._common(w, "noun")]
        return found[: 4 * _MOST_SISTERS]

    def synonyms(self, word: str) -> list[str]:
        """Common words that have, in the same part of speech, the same first meaning as this one."""
        pos = self.part(word)
        senses = self._senses.get(word, {}).get(pos, [])
        if not senses or len(senses) > 4:
            return []
        return [
            w
            for w in self._synsets[senses[0]].words
            if w != word and self._common(w, pos) and self._senses[w][pos][0] == senses[0]
        ]

    def _common(self, word: str, pos: str) -> bool:
        return word.isalpha() and word.islower() and self._tagged.get(word, {}).get(pos, 0) > 0

    def _read_data(self, file: Path, pos: str) -> None:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            parts = line.split(" ")
            count = int(parts[3], 16)
            words = [parts[4 + 2 * i].split("(")[0] for i in range(count)]
            synset = Synset(words)
            at = 4 + 2 * count
            for i in range(int(parts[at])):
                symbol, offset, kind, ends = parts[at + 1 + 4 * i : at + 5 + 4 * i]
                other = f"{_POS[kind]}{offset}"
                if symbol == "@":
                    synset.hypernyms.append(other)
                elif symbol == "~":
                    synset.hyponyms.append(other)
                elif symbol == "!":
                    synset.opposites.append((int(ends[:2], 16), other, int(ends[2:], 16)))
            self._synsets[f"{pos}{parts[0]}"] = synset

    def _read_index(self, file: Path, pos: str) -> None:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            parts = line.split()
            senses = int(parts[2])
            self._senses[parts[0]][pos] = [f"{pos}{offset}" for offset in parts[-senses:]]
            self._tagged[parts[0]][pos] = int(parts[-senses - 1])
