"""The usual names for the parts of a query: keys of an object, and labels before a text, in four languages."""

from __future__ import annotations

import re
from functools import lru_cache

KEYS = {
    "tests": ("tests", "test", "metrics", "metric", "evaluate", "evaluations", "eval", "evaluators", "checks",
              "metric_names", "test_names",
              "metriken", "métriques", "métricas", "metriche", "mesures", "métrica", "métrique"),
    "question": ("question", "query", "user_input", "user_question", "input", "inputs", "prompt", "q", "frage",
                 "pregunta", "query_str", "main_input", "input_value"),
    "contexts": ("contexts", "context", "retrieved_contexts", "retrieved_context", "retrieval_context", "documents",
                 "document", "retrieved_documents", "source_documents", "input_documents", "docs", "chunks", "passages",
                 "kontexte", "kontext", "dokumente", "contextes", "contexte", "contextos", "contexto", "ctx", "ctxs",
                 "retrieved_chunks", "retrieved_passages", "source_nodes", "retrieved_nodes", "retrieval_documents"),
    "answer": ("answer", "response", "output", "actual_output", "generated_answer", "model_answer", "model_response",
               "predicted_answer", "prediction", "predictions", "outputs", "main_output",
               "output_value", "a", "ans", "antwort", "réponse", "respuesta"),
    "ground_truth": ("ground_truth", "ground_truths", "reference", "references", "reference_answer", "expected_output",
                     "expected_answer", "expected_response", "correct_answer", "true_answer", "gold_answer", "gt",
                     "referenz", "referenzantwort"),
    "relevant_context_ids": ("relevant_context_ids", "relevant_ids", "relevant", "relevant_contexts",
                             "relevant_documents", "relevant_docs", "relevant_document_ids", "relevant_doc_ids",
                             "reference_context_ids"),
    "extra": ("extra", "options"),
}  # fmt: skip
FIELD_OF = {key: field for field, keys in KEYS.items() for key in keys}

_OWNER = (
    r"[ ](?:from|of|by|des|der|vom|von|unseres|du|de|del|della|do|da|dell|de[ ]l)['’ ]"
    r"(?:the[ ]|our[ ]|unserem?[ ])?\w{1,14}"
)
"""`from the tenant`, `des Kunden`, `de l'utilisateur`."""
PATTERNS = {
    "unused": r"(?:not[ ]|ir|non[ -])relevant(?:[ ](?:ids|contexts|documents))?|(?:wrong|incorrect|bad)[ ]answers?",
    "tests": r"evaluat(?:e|ions?)|eval"
    r"|(?:(?:eval(?:uation)?|requested|required|selected|chosen|desired|wanted)[ _-])?(?:tests?|metrics?)"
    r"(?:[ ](?:wanted|needed|requested|to[ ]run))?"
    r"|bewerte|metriken|[ée]valu(?:er|ez)|m[ée]triques|eval(?:uar|úa)|m[ée]tricas|pruebas|valuta|metriche|mesures"
    r"|avalie|run|scores?|compute|calculate|measure|check|wanted|gewünscht|評価(?:指標)?|指標|评估|指标",
    "ground_truth": r"ground[ _-]?truths?|GT|(?:right|true)[ ](?:answer|response)"
    r"|(?:reference|expected|correct|gold|ideal)(?:[ _-](?:answer|response|output))?s?|referenz(?:antwort)?"
    r"|(?:richtige|korrekte|erwartete)[ ]antwort"
    r"|muster(?:antwort|lösung)|réponse[ ](?:attendue|correcte|de[ ]référence)|référence"
    r"|respuesta[ ](?:correcta|esperada|de[ ]referencia)|referencia|risposta[ ](?:corretta|attesa|di[ ]riferimento)"
    r"|verdad[ ](?:de[ ](?:referencia|base)|fundamental)|vérité[ ](?:terrain|de[ ]référence)|goldantwort"
    r"|sollantwort|(?:accept(?:ed|able)|possible|valid)[ ](?:answers?|ground[ _-]truths?|references?)"
    r"|akzeptierte[ ]antwort(?:en)?|resposta[ ](?:correta|esperada)"
    r"|(?:juiste|correcte|verwachte)[ ]antwoord"
    r"|what[ ](?:it|(?:the|our)[ ](?:bot|model|assistant|system))[ ]should(?:[ ]have)?[ ](?:say|said|answer(?:ed)?)"
    r"|(?:right|correct|expected|ideal|gold)[ ]reply|正解|模範解答|参照回答|标准答案|参考答案",
    "relevant_context_ids": r"relevant(?:[ _-](?:contexts?|documents?|docs?|chunks?))?(?:[ _-]ids?)?"
    r"|relevante[sn]?(?:[ ](?:dokumente|kontexte|ids))?|(?:(?:documents|contextes|ids)[ ])?pertinente?s?"
    r"|(?:documentos|contextos|ids)[ ]relevantes|(?:(?:documenti|contesti|ids)[ ])?rilevant[ei]|istotn[aey]"
    r"|関連文書|相关文档",
    "contexts": r"(?:(?:retrieved|provided)[ _-])?(?:contexts?|documents?|docs?|chunks?|passages?)|kontext(?:e[sn]?|s)?"
    r"|(?:gefundene[ ])?(?:dokumente?|texte|stellen|abschnitte)|textstellen?|contextes?"
    r"|gefundener?[ ](?:text|stelle|abschnitt|auszug)"
    r"|documents[ ](?:récupérés|trouvés)|extraits?|contextos?|documentos?(?:[ ]recuperados)?|fragmentos?|sources"
    r"|ctxs?|contest[oi](?:[ ]recuperat[oi])?|documenti(?:[ ]recuperati)?|contextos?[ ]recuperados?|kb[ ]articles?"
    r"|what[ ](?:we|it|the[ ](?:retriever|search|system))[ ](?:had[ ])?(?:found|retrieved|returned)"
    r"(?:[ ]in[ ][\w ]{1,24})?"
    r"|(?:it|we|the[ ](?:retriever|search|system|bot))[ ](?:retrieved|found|returned|got)[ ](?:these|the[ ]following)"
    r"(?:[ ](?:documents|passages|contexts|chunks|texts))?"
    r"|(?:top[ ])?hits|search[ ]results?|treffer"
    r"|sources?[ ]used|source|snippets?|bran[oi](?:[ ]trovat[oi])?|documenten|bronnen|retrieved"
    r"|コンテキスト|文脈|検索結果|出典|上下文",
    "answer": r"(?:(?:predicted|model|generated|actual|bot|system|agent|assistant|chatbot|our|ai)[ _-])?"
    r"(?:answer|response)|(?:model|system|bot|agent|assistant)[ _-]output|antwoord"
    r"|(?:model|actual|bot|system|agent|assistant|chatbot|our|ai)[ _-]reply|(?:actual[ _-])?output"
    r"|(?:what[ ](?:the|our)[ ])?(?:bot|model|assistant|system)[ ](?:answered|replied|responded|said)|assistant"
    r"|(?:chat)?bot|answered|replied|(?:antwort|réponse|respuesta|risposta|resposta)"
    rf"(?:{_OWNER})?|ans|A|回答|答え|答案",
    "question": rf"(?:(?:user|customer|client)[ _-])?question(?:[ ]asked|[ ]pos[ée]e|{_OWNER})?|(?:user[ ])?asked"
    r"|(?:user|customer|client|visitor|guest|member)(?:['’]s)?[ _-](?:input|prompt|message)"
    rf"|(?:(?:user|customer|client)[ _-])?query|user|input|prompt|Q"
    rf"|(?:frage|pregunta|domanda|pergunta|vraag)(?:{_OWNER})?"
    r"|質問|問い|问题",
}
"""Labels before a text, in any case; the text after an `unused` one is needed by no test."""
LABEL = "|".join(f"(?P<{field}>{pattern})" for field, pattern in PATTERNS.items())
"""Any of them, as a group by its field's name."""
USUAL = {
    "tests": "Tests", "question": "Question", "contexts": "Contexts", "answer": "Answer",
    "ground_truth": "Ground truth", "relevant_context_ids": "Relevant", "unused": "Wrong answer",
}  # fmt: skip
"""The usual label of each part."""
_SECOND = {
    "doc": "contexts",
    "retrieved": "contexts",
    "hits": "contexts",
    "got": "answer",
    "actual": "answer",
    "gold": "ground_truth",
    "target": "ground_truth",
}
"""Keys that count where no usual one is there."""
_WHOLE = re.compile(LABEL, re.IGNORECASE)
_LONGEST = 60
NUMBER = r"[ \t]{1,4}(?:\d{1,4}|[A-Za-z])"
"""The number or letter after a label."""
SHORT = frozenset(
    "a q ans ctx ctxs sources gt user assistant input prompt output query docs doc bot chatbot asked answered replied "
    "retrieved correct expected ideal gold eval snippet snippets source hits treffer run score scores compute "
    "calculate measure check wanted gewünscht".split()
)
"""Labels that are common words or letters: within a line they count only as written here (`Q`, `A`, `GT`)."""
WISHES = frozenset("run score scores compute calculate measure check wanted gewünscht".split())
"""Labels and keys that name tests only where nothing but tests stands after them."""
CAPITALS = {"A", "Q", "GT", "Correct", "Expected", "Ideal", "Gold"}


def field_of(match: re.Match[str]) -> str:
    """The field whose label a match of a pattern with `LABEL` has found."""
    found = match.groupdict()
    return next(field for field in PATTERNS if found[field])


def field_named(key: object) -> str | None:
    """The field that a key of an object or a column means, by its usual names or by the labels of texts."""
    name = plain_key(str(key))
    return FIELD_OF.get(name) or _SECOND.get(name) or _labeled(name)


@lru_cache(maxsize=1000)
def _labeled(name: str) -> str | None:
    match = _WHOLE.fullmatch(name.replace("_", " ")) if len(name) <= _LONGEST and name not in SHORT else None
    field = field_of(match) if match else "unused"
    return None if field == "unused" else field


def name_different_parts(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern finds labels of at least two fields in the text."""
    return len({field_of(match) for match in pattern.finditer(text)}) > 1


def plain_key(key: str) -> str:
    """`Relevant Context IDs` and `relevantContextIds` → `relevant_context_ids`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key).strip())
    return re.sub(r"[\s\-.]+", "_", words).lower()
