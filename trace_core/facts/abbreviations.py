"""Abbreviations at which a splitter errs, without their stop, and the words that clearly begin a sentence.

What is here is English, and of other languages what `sentencex` lacks.
"""

import re

TITLES = frozenset(
    """Mr Mrs Ms Mx Messrs Mme Mlle Mgr Dr Drs Prof Rev Hon Gen Col Lt Capt Cpt Cmdr Sgt Cpl Maj Adm Gov Sen Rep Pres
    Dir Supt Insp Mt Ft Mevr Dhr Sr Sra Sras dr prof mevr dhr sr sra""".split()
)
"""No sentence ends after one: a name follows. "Which rep." and "the gen." are no titles."""
JOINING = frozenset(
    """approx aprox eq eqs ref refs incl resp ca ab abb abs bzw geb inkl mwst vgl cf vs e.g i.e str""".split()
)
"""In lower case. No sentence ends after one, either."""
COUNTING = frozenset(
    """vol vols no nos nr num núm fig figs sec secs ch chap art arts para paras p pp pag pág tab tabs ver tel ext apt rm
    bldg est max min avg jan feb mar apr jun jul aug sep sept oct nov dec mins hr hrs yr yrs wk wks oz lb lbs ft in reg
    pos""".split()
)
"""In lower case: counting words, units, months. No sentence ends between one and a number."""
ENDING = re.compile(
    r"(?:(?:(?<=\d|°)|(?<=\d\s))[lgmshtVAWKCFJN]|\b(?:[Mm]ay|[Nn]o|[Jj]an|[Ff]eb|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|min|max|Jr"
    r"|Inc|Ltd|Co|Corp|k?m/h|[A-Za-z]{1,5}/[A-Za-z]{1,3}|[A-Z][a-z]+\s(?:St|Ave|Rd|Blvd)))\.\s+"
)
"""With the stop. These end a sentence, too, where a new one clearly begins: "It holds 2 l. It is red."""
_OPENER = (
    r"(?:(?:It|Its|The|This|That|These|Those|They|There|Then|An|In|On|At|If|When|While|You|Your|We|He|She|For|To|With"
    r"|And|But|Use|After|Before|Do|Please|Each|All|Both|No|Not|My|Our|Their|His|Her)\b|A\s[a-z])"
)
OPENER = re.compile(_OPENER)
"""A small word with a capital."""
BEGINNING = re.compile(rf"{_OPENER}|[A-Z][a-z]+,?\s+[a-z]")
"""What clearly begins a sentence: a small word with a capital, or a capital before a small word."""
GOES_ON = re.compile(
    r"(?i)(?:[,;(–-]|\b(?:an?|the|of|and|or|to|in|at|by|for|with|from|as|than|that|which|if|when|but|into|per|see))\Z"
)
"""The end of a line, or of what stands before a mark, after which its sentence goes on."""
