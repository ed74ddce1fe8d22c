"""Words that say the opposite of one another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from trace_core.labeling.local.wording.texts import read

_OPPOSITES = """
    open closed, open shut, opens closes, inside outside, indoors outdoors, hot cold, warm cool, warm cold, wet dry,
    full empty, heavy light, dark light, dark bright, long short, tall short, high low, higher lower, highest lowest,
    wide narrow, thick thin, deep shallow, big small, large small, larger smaller, largest smallest, biggest smallest,
    bigger smaller, old new, old young, older younger, older newer, oldest youngest, oldest newest, early late,
    earlier later, earliest latest, first last, fast slow, faster slower, fastest slowest, quick slow, easy hard, easy
    difficult, hard soft, loud quiet, rough smooth, strong weak, stronger weaker, rich poor, cheap expensive, cheaper
    dearer, clean dirty, safe dangerous, sharp blunt, tight loose, tighten loosen, raw cooked, sweet sour, fresh
    stale, fresh frozen, public private, free paid, male female, men women, boys girls, man woman, boy girl, husband
    wife, mother father, brother sister, son daughter, king queen, before after, above below, over under, up down,
    upper lower, upward downward, upstairs downstairs, top bottom, left right, front back, front rear, north south,
    northern southern, east west, eastern western, on off, with without, more less, more fewer, most least, most
    fewest, minimum maximum, least most, always never, often rarely, often seldom, usually rarely, everyone nobody,
    all none, both neither, everything nothing, accept reject, accepted rejected, accept refuse, accepted refused,
    allow forbid, allowed forbidden, allowed prohibited, permitted forbidden, permitted prohibited, allows prevents,
    increase decrease, increased decreased, increases decreases, rise fall, rose fell, rises falls, raise lower,
    raised lowered, grow shrink, grew shrank, grew fell, gain lose,
    gained lost, win lose, won lost, begin end, begins ends,
    began ended, start stop, starts stops, started stopped, start finish, starts ends, started ended, enter leave,
    entered left, arrive leave, arrived left, arrive depart, arrival departure, arrivals departures, come go, push
    pull, buy sell, bought sold, buyer seller, lend borrow, lent borrowed, give take, gave took, send receive, sent
    received, add remove, added removed, attach detach, lock unlock, locked unlocked, enable disable, enabled
    disabled, connect disconnect, connected disconnected, insert remove, install uninstall, lift lower, fill empty,
    build demolish, built demolished, create destroy, created destroyed, love hate, loved hated, agree disagree,
    agreed disagreed, remember forget, success failure, succeed fail, succeeded failed, true false, correct wrong,
    correct incorrect, right wrong, valid invalid, legal illegal, possible impossible, able unable, available
    unavailable, likely unlikely, visible invisible, active inactive, complete incomplete, compatible incompatible,
    dependent independent, direct indirect, formal informal, positive negative, advantage disadvantage, benefit harm,
    guilty innocent, alive dead, asleep awake, present absent, day night, morning evening, summer winter, import
    export, imports exports, internal external, horizontal vertical, simple complex, major minor, majority minority,
    temporary permanent, voluntary compulsory, optional required, optional mandatory, optional compulsory, natural
    artificial, domestic foreign, urban rural, modern ancient, single married, near far, nearest farthest, same
    different, similar different, together separately, alone together, better worse, best worst, good bad, profit
    loss, income expense, teacher pupil, teacher student, employer employee, landlord tenant, doctor patient, parent
    child, parents children, adults children, adult child, winner loser, upstream downstream, forward backward,
    forwards backwards, clockwise anticlockwise, clockwise counterclockwise, uphill downhill, inner outer, input
    output, credit debit, reward punishment, peace war, victory defeat, defeated beat, ahead behind, previous next,
    former latter, include exclude, includes excludes, included excluded, online offline, manual automatic, manually
    automatically, hidden visible, occupied vacant, ascending descending, senior junior, sunrise sunset, dawn dusk,
    floor ceiling, broad narrow, expand contract, support oppose, supported opposed, encourage discourage, encouraged
    discouraged, appear disappear, appeared disappeared, pass fail, passed failed, save spend, saved spent, widened
    narrowed, hired fired, praised criticised, praised criticized, approved rejected, approve reject, confirmed
    denied, protect damage, improve worsen, improved worsened, strengthen weaken, strengthened weakened, shorten
    lengthen, shortened lengthened, inflate deflate, freeze melt, froze melted, float sink, sank floated
"""
"""Pairs of words that exclude each other where one stands in the other's place."""


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The word as `Text.sequence` has it → its opposites."""
    pairs = [tuple(read(word).sequence[0] for word in pair.split()) for pair in _OPPOSITES.split(",")]
    found: dict[str, frozenset[str]] = {}
    for one, other in (*pairs, *(pair[::-1] for pair in pairs)):
        found[one] = found.get(one, frozenset()) | {other}
    return found
