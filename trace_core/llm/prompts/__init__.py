"""Every prompt to a language model: its name, its version, and the object that a reply has to be. Its words are in the
file of its name beside this one, where `{part}` stands for the words of another file. A change of words needs the next
version, as labels are stored with it; `tests/trace_core/llm/test_prompts.py` holds them together."""

from importlib.resources import files

from pydantic import BaseModel, Field

from trace_core.llm.messages import Prompt


def _words(name: str, **parts: str) -> str:
    text = files(__name__).joinpath(f"{name}.txt").read_text("utf-8").removesuffix("\n")
    return text.format_map(parts) if parts else text


_PARTS = {name: _words(name) for name in ("check", "material", "quoted", "short")}
EARLIER = f"\n{_words('earlier')}"
"""Added to `JUDGE` and `DECISIONS` only if there were earlier turns."""
BEST_RATING = 4
SEVERAL, GENERAL, NONE = "several", "general", "none"
HELPS = "The document sentence {key} helps to answer the question, or is needed to understand one that does."
SUPPORTS = "Which document sentence supports the response sentence {key}?"
OTHERS = {
    SEVERAL: "no single one: several document sentences together back everything that it claims",
    GENERAL: "it needs no document: it claims nothing, as a greeting or a heading, it is common knowledge, or it says "
    "rightly that the documents do not hold the answer",
    NONE: "the documents back it in part or not at all, or contradict it",
}
"""The questions of `DECISIONS`, and what may support a response sentence beside a document sentence."""


class SupportEntry(BaseModel):
    """One response sentence, as the judge writes it."""

    response_sentence_key: str
    explanation: str
    supporting_sentence_keys: list[str]
    fully_supported: bool


class JudgeReply(BaseModel):
    """The judge's JSON; the order of the fields is the order in which it thinks."""

    relevance_explanation: str
    all_relevant_sentence_keys: list[str]
    overall_supported_explanation: str
    overall_supported: bool
    sentence_support_information: list[SupportEntry]
    all_utilized_sentence_keys: list[str]


class QuestionDraft(BaseModel):
    """A question about a chunk, and its answer; both empty where there is nothing to ask about."""

    question: str
    answer: str


class AnswerDraft(BaseModel):
    """The answer from the chunk alone; empty where it holds none."""

    answer: str


class Rating(BaseModel):
    """How far an answer agrees with the truth."""

    explanation: str
    rating: int = Field(ge=0, le=BEST_RATING)


class Questions(BaseModel):
    """Questions that an answer would answer."""

    explanation: str
    evades: bool
    questions: list[str]


class ReadContext(BaseModel):
    """A context as it stands in a query."""

    id: str
    text: str


class ReadQuery(BaseModel):
    """A query's parts."""

    tests: list[str]
    question: str
    contexts: list[ReadContext]
    answer: str
    ground_truth: list[str]
    relevant_context_ids: list[str]


class Choice(BaseModel):
    """A field and the column that holds it."""

    field: str
    column: str


class Suggestion(BaseModel):
    """What the judge proposes."""

    choices: list[Choice]


def _prompt(name: str, version: int, schema: type[BaseModel] | None = None, *more: object) -> Prompt:
    return Prompt(name, version, _words(name, **_PARTS), schema, more)


JUDGE = _prompt("trace", 1, JudgeReply)
DECISIONS = _prompt("decisions", 1, None, HELPS, SUPPORTS, OTHERS)
ANSWER = _prompt("answer", 1)
GOLDEN_ANSWER = _prompt("golden-answer", 1, AnswerDraft)
GOLDEN = _prompt("golden", 1, QuestionDraft, GOLDEN_ANSWER.instructions)
RATING = _prompt("rating", 1, Rating)
QUESTIONS = _prompt("questions", 1, Questions)
READING = _prompt("reading", 1, ReadQuery)
MAPPING = _prompt("mapping", 1, Suggestion)
