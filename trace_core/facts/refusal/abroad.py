"""Wordings that decline in German, French, Spanish, Italian, Dutch, Portuguese, Chinese and Japanese.

Each says who declines and what is denied: I cannot answer, the documents do not mention, there is no information, it is
not stated in the text. A statement about the world in the same words is an answer.
"""

from __future__ import annotations

import re

_W = r"(?:[\w'-]{1,24} )"
_END = r"\W*$"

_DE = (
    r"(?:dokument(?:en?|s|es)?|unterlagen|kontext(?:e|es|s)?|text(?:en?|es|s)?|textstellen?|textauszu?ü?ge?n?"
    r"|quellen?|auszug"
    r"|auszügen?|passagen?|abschnitt(?:en?|s)?|handbuch(?:s|es)?|anleitung|suchergebnissen?|materiali?e?n?)\b"
)
_DE_TOLD = (
    r"(?:information(?:en)?|angaben?|hinweise?|auskunft|antwort(?:en)?|erwähnung|aussagen?|details"
    r"|anhaltspunkte?)\b"
)
_DE_TELL = (
    r"(?:beantwort\w*|sagen|beurteilen|bestimm\w*|ermittel\w*|feststell\w*|festgestellt|weiterhelfen|helfen|mitteilen"
    r"|entnehmen"
    r"|entnommen|angeben)\b"
)
_DE_STATED = (
    r"(?:erwähnt|angegeben|genannt|beschrieben|spezifiziert|enthalten|beantwortet|behandelt|aufgeführt"
    r"|thematisiert)\b"
)
_GERMAN = re.compile(
    rf"\bich weiss (?:(?:es|das|dies|darüber|dazu|leider|auch|die|antwort|wirklich) ){{0,4}}nichts?\b"
    rf"|\bweiss ich (?:(?:leider|es|auch|wirklich) ){{0,3}}nicht\b|\bkeine ahnung\b"
    rf"|\b(?:habe?n?|liegen|liegt|gibt?|geben|finde[nt]?|enthält|enthalten|liefer[nt]|biete[nt]|machen|macht|konnten?"
    rf"|wurden?|stehen)"
    rf" {_W}{{0,7}}?(?:keine|keinen|keinerlei|nicht (?:genug|genügend)|zu wenige?|unzureichende) {_W}{{0,2}}?{_DE_TOLD}"
    rf"|\b(?:ich|wir) (?:kann|können|konnten?) {_W}{{0,8}}?nichts? {_W}{{0,3}}?(?:{_DE_TELL}|finden\b)"
    rf"|\b(?:kann|können|konnten?) (?:ich|wir) {_W}{{0,8}}?nichts? {_W}{{0,3}}?(?:{_DE_TELL}|finden\b)"
    rf"|\bbin (?:ich )?(?:leider )?nicht in der lage\b|\bkann ich (?:leider )?keine {_DE_TOLD}"
    rf"|\b{_DE} {_W}{{0,3}}?(?:erwähn(?:en|t)|nenn(?:en|t)|sag(?:en|t)|beantworte[nt]|spezifizier(?:en|t)"
    rf"|beschreib(?:en|t)"
    rf"|behandel[nt]|schweig(?:en|t)|verrat(?:en)?|verrät) {_W}{{0,6}}?(?:nichts?|keine?n?)\b"
    rf"|\b{_DE} {_W}{{0,2}}?enth(?:ä|a)lt(?:en)? (?:das|dies|diese {_W}|dazu|darüber|hierzu|die {_W}) ?(?:nichts?)\b"
    rf"|\b(?:im|in|aus|laut) {_W}{{0,3}}?{_DE} (?:steht|stehen|wird|werden|ist|sind|findet|finden"
    rf"|gibt) {_W}{{0,6}}?(?:nichts?|keine?)"
    rf" {_W}{{0,3}}?(?:{_DE_STATED}|darüber|dazu|davon|zu[mr]?\b|über\b|{_DE_TOLD})"
    rf"|\b(?:wird|werden|ist|sind|wurden?) {_W}{{0,4}}?(?:in|im) {_W}{{0,3}}?{_DE} nicht {_W}{{0,2}}?{_DE_STATED}"
    rf"|\bsteh(?:t|en) {_W}{{0,3}}?nicht (?:in|im) {_W}{{0,3}}?{_DE}|\bgeh(?:t|en) {_W}{{0,8}}?nicht hervor\b"
    rf"|\b(?:frage|antwort)\b {_W}{{0,2}}?(?:läss?t sich|kann|ist) {_W}{{0,8}}?nicht {_W}{{0,3}}?{_DE_TELL}"
    rf"|\b(?:basierend auf|auf (?:der )?(?:basis|grundlage)|anhand|aufgrund|nach|laut"
    rf"|aus) {_W}{{0,4}}?{_DE}[^.!?]{{0,40}}?"
    rf"\b(?:nicht möglich|unmöglich|nicht {_W}{{0,2}}?{_DE_TELL}|unklar)"
    rf"|\bnicht möglich, (?:diese|die|ihre) frage\b|\bdazu (?:wurde|habe ich|konnte ich|kann ich"
    rf"|finde ich) {_W}{{0,2}}?nichts\b"
    rf"|^\W*(?:(?:diese|die|solche|gesuchten?|keine)? ?{_W}{{0,2}}?{_DE_TOLD} (?:(?:ist|sind|liegt|liegen|steht"
    rf"|stehen) )?(?:mir )?(?:leider )?(?:nicht )?"
    rf"(?:verfügbar|vorhanden|enthalten|bekannt|angegeben|gefunden|vor|möglich|zur verfügung)(?: {_W}*?{_DE})?"
    rf"|nicht (?:{_DE_STATED}|bekannt|verfügbar)(?: (?:im|in) {_W}{{0,3}}{_DE})?|unbekannt|weiss nicht"
    rf"|keine {_DE_TOLD}(?: (?:dazu|darüber|hierzu))?){_END}"
)

_FR = (
    r"(?:documents?|documentation|contextes?|textes?|extraits?|passages?|sources?|manuel|notice|articles?|résultats"
    r"|informations? fournies?)\b"
)
_FR_TOLD = r"(?:informations?|mention|réponse|précisions?|indications?|détails?|renseignements?|éléments?)\b"
_FR_TELL = r"(?:répondre|dire|déterminer|trouver|savoir|préciser|affirmer|confirmer|conclure|aider|fournir)\b"
_FR_SAY = (
    r"(?:précis(?:e|ent)|mentionn(?:e|ent)|indiqu(?:e|ent)|di(?:t|sent)|spécifi(?:e|ent)|répond(?:ent)?|parl(?:e|ent)"
    r"|évoqu(?:e|ent)"
    r"|abord(?:e|ent)|permet(?:tent)?|décri(?:t|vent)|trait(?:e|ent))\b"
)
_FR_STATED = (
    r"(?:mentionnée?s?|précisée?s?|indiquée?s?|spécifiée?s?|abordée?s?|évoquée?s?|décrite?s?|fournie?s?"
    r"|disponibles?|présente?s?)\b"
)
_FRENCH = re.compile(
    rf"\bje ne (?:le |la )?sais (?:vraiment )?pas{_END}|\bje ne (?:le |la )?sais (?:vraiment )?pas (?:si|quel\w*|où"
    rf"|quand|comment|ce|la réponse|qui|pourquoi|combien)\b|\bje n'en sais rien\b|\bje n'ai (?:pas la moindre "
    rf"|aucune )idée\b"
    rf"|\b(?:je|nous) (?:n'ai|n'avons|ne dispose|ne disposons|ne trouve|ne vois|n'en ai) (?:pas|rien"
    rf"|aucune?) {_W}{{0,3}}?(?:(?:d'|l')?{_FR_TOLD}|trouvé\b|accès\b)"
    rf"|\bon ne peut pas répondre\b|^\W*rien dans {_W}{{0,3}}?{_FR}|\bje n'ai rien trouvé\b|\bje ne trouve (?:pas"
    rf"|rien)\b|\baucune idée\b"
    rf"|\b(?:je|nous) ne (?:peux|pouvons|puis|suis|sommes) (?:malheureusement )?(?:pas )?(?:(?:en mesure|capable) de "
    rf"|vous |y |le ){{0,2}}{_FR_TELL}"
    rf"|\b{_FR} {_W}{{0,3}}?(?:ne |n')(?:le |la |l'|les |en |nous |me )?{_FR_SAY} (?:pas|rien|aucune?|nullement)\b"
    rf"|\b{_FR} {_W}{{0,3}}?(?:ne |n')(?:contien(?:t|nent)|fourni(?:t|ssent)|donne(?:nt)?|offre(?:nt)?"
    rf"|comporte(?:nt)?|comprend) "
    rf"(?:pas|aucune?|rien) {_W}{{0,3}}?(?:(?:d'|l')?{_FR_TOLD}|sur\b|à ce\b)"
    rf"|\b(?:n'est|ne sont|n'apparaît|ne (?:se )?(?:figure|trouve)(?:nt)?) pas (?:explicitement "
    rf"|clairement )?(?:{_FR_STATED} )?(?:dans|par) {_W}{{0,3}}?{_FR}"
    rf"|\bil (?:n'est pas possible|est impossible|m'est impossible) de (?:répondre|dire|savoir)\b"
    rf"|\b(?:d'après|selon|à partir d\w*|sur la base d\w*|avec"
    rf"|dans) {_W}{{0,3}}?{_FR}[^.!?]{{0,40}}?\b(?:pas possible|impossible|(?:n'est|n'est donc) pas {_FR_STATED})"
    rf"|\bil n'y a (?:pas|aucune?|rien|pas assez) {_W}{{0,2}}?(?:(?:d'|de |l')?(?:(?:informations?|mention"
    rf"|précisions?|renseignements?)\b|réponse(?= (?:à|dans)|\W*$))|dans {_W}{{0,2}}?{_FR})"
    rf"|^\W*aucune? {_W}{{0,2}}?(?:information|mention|réponse|précision|indication)\w*(?: (?:n'est"
    rf"|n'a été) (?:disponible|fournie|donnée|trouvée|mentionnée)| disponible| trouvée| (?:sur|dans|concernant"
    rf"|à propos) [^.!?,]{{1,60}})?{_END}"
    rf"|\baucune? (?:des )?{_FR} ne {_W}{{0,2}}?{_FR_SAY}"
    rf"|^\W*(?:(?:cette|l'|la|les|ces) ?{_FR_TOLD} (?:demandées? |recherchées? )?(?:n'est|ne sont)|ce n'est"
    rf"|cela n'est) pas {_FR_STATED}(?: dans {_W}{{0,3}}?{_FR})?{_END}"
    rf"|^\W*(?:{_FR_TOLD} )?(?:non|pas) {_FR_STATED}(?: dans {_W}{{0,3}}?{_FR})?{_END}|^\W*(?:inconnue?|je l'ignore"
    rf"|j'ignore la réponse){_END}"
)

_ES = (
    r"(?:documentos?|documentación|contextos?|textos?|fragmentos?|pasajes?|extractos?|fuentes?|manual|artículos?"
    r"|resultados)\b"
)
_ES_TOLD = r"(?:información|informaciones|datos|mención|respuestas?|detalles|referencias?|indicación)\b"
_ES_SAY = (
    r"(?:menciona[n]?|indica[n]?|especifica[n]?|dice[n]?|responde[n]?|habla[n]?|aclara[n]?|precisa[n]?|señala[n]?"
    r"|describe[n]?"
    r"|aborda[n]?|trata[n]?|permite[n]? (?:responder|determinar|saber|concluir))\b"
)
_ES_STATED = r"(?:mencionad|indicad|especificad|disponible|incluid|proporcionad|presente|detallad|encontrad)[oa]?s?\b"
_ES_TELL = (
    r"(?:responder\w*|contestar\w*|determinar\w*|decir\w*|encontrar\w*|ayudar\w*|saber\w*|confirmar\w*"
    r"|proporcionar\w*)\b"
)
_SPANISH = re.compile(
    rf"\bno lo sé\b|\bno sé{_END}|\bno sé (?:la respuesta|si|cuál|cuánt\w*|qué|quién|cómo|dónde|cuándo)\b"
    rf"|\bno tengo (?:ni )?(?:la menor |ninguna )?idea\b"
    rf"|\b(?:desconozco|ignoro)\b|\bno (?:tengo|dispongo|disponemos|tenemos|cuento) {_W}{{0,3}}?{_ES_TOLD}"
    rf"|\bno (?:puedo|podemos|soy capaz de|estoy en condiciones de) {_W}{{0,2}}?{_ES_TELL}"
    rf"|\b{_ES} {_W}{{0,3}}?no (?:lo |la |se |nos |me )?{_ES_SAY}"
    rf"|\b{_ES} {_W}{{0,3}}?no (?:proporciona|contiene|ofrece|incluye|da|tiene|brinda)n? (?:ningun[oa]? |suficiente "
    rf"|es[ao]s? |dich[oa]s? |la |más )?(?:{_ES_TOLD}|nada\b)"
    rf"|\bno se {_ES_SAY} {_W}{{0,5}}?en {_W}{{0,3}}?{_ES}|\bno (?:aparece|figura|está|se encuentra"
    rf"|consta)n? (?:{_ES_STATED} )?en {_W}{{0,3}}?{_ES}"
    rf"|\bno (?:se )?(?:puede|es posible|pueden) {_W}{{0,2}}?{_ES_TELL}[^.!?]{{0,30}}?\b(?:a partir|basad"
    rf"|con la información|según|{_ES})"
    rf"|\b(?:según|basad[oa] en|a partir de|de acuerdo con|con base en"
    rf"|en) {_W}{{0,3}}?{_ES}[^.!?]{{0,40}}?\bno (?:es posible|se (?:puede|{_ES_SAY}|indica))"
    rf"|\bno hay (?:ninguna |suficientes? |más )?{_W}{{0,1}}?(?:(?:información|mención|detalles|referencias?)\b"
    rf"|respuesta(?= (?:a|en)\b|\W*$)|datos (?:sobre|en)\b)"
    rf"|\bno (?:se )?(?:ha |he |han |hemos )?(?:encuentro|encontr\w+|hall\w+) (?:ningun[oa]? |es[ao]s? "
    rf"|la )?(?:{_ES_TOLD}|nada (?:sobre|en|de|acerca)\b|la respuesta)"
    rf"|^\W*(?:la|esa|esta|dicha) {_ES_TOLD} (?:{_W}{{1,2}})?no (?:está|es|se encuentra|aparece"
    rf"|figura) ?(?:{_ES_STATED})?(?: en {_W}{{0,3}}?{_ES})?{_END}"
    rf"|\bningun[oa] de {_W}{{1,3}}?{_ES} (?:lo |la )?{_ES_SAY}|^\W*(?:(?:sin|no hay) {_ES_TOLD}"
    rf"|(?:{_ES_TOLD} )?no {_ES_STATED}(?: en {_W}{{0,3}}?{_ES})?|desconocid[oa]"
    rf"|no se (?:{_ES_SAY}|sabe)|ni idea){_END}"
)

_IT = (
    r"(?:document[oi]|documentazione|contest[oi]|test[oi]|estratt[oi]|passaggi?o?|bran[oi]|fonti|fonte|manuale"
    r"|articol[oi])\b"
)
_IT_TOLD = r"(?:informazion[ei]|risposta|menzione|dettagli|indicazioni|riferimenti)\b"
_IT_SAY = (
    r"(?:menziona(?:no)?|specifica(?:no)?|dice|dicono|indica(?:no)?|risponde|rispondono|parla(?:no)?|precisa(?:no)?"
    r"|descrive|descrivono"
    r"|tratta(?:no)?|riporta(?:no)?|permett(?:e|ono) di)\b"
)
_IT_STATED = r"(?:specificat|menzionat|indicat|disponibil|riportat|fornit|present|precisat|trovat)[oaie]\b"
_IT_TELL = r"(?:rispond\w+|dir\w+|determinar\w+|trovar\w+|stabilir\w+|aiutar\w+|saper\w+|fornir\w+|confermar\w+)\b"
_ITALIAN = re.compile(
    rf"\bnon lo so\b|\bnon so{_END}|\bnon so (?:rispondere|se|qual\w*|quant\w*|chi|come|dove|cosa|la risposta)\b"
    rf"|\bnon ne ho (?:la minima )?idea\b|\bnessuna idea\b"
    rf"|\bnon (?:ho|abbiamo|dispongo di|trovo) {_W}{{0,3}}?(?:{_IT_TOLD}|trovato\b)"
    rf"|\bnon (?:posso|possiamo|sono in grado di|riesco a) {_W}{{0,2}}?{_IT_TELL}"
    rf"|\b{_IT} {_W}{{0,3}}?non (?:lo |la |ne |ci |mi |si )?{_IT_SAY}"
    rf"|\b{_IT} {_W}{{0,3}}?non (?:fornisc(?:e|ono)|contien(?:e|gono)|offr(?:e|ono)|da|danno|include"
    rf"|includono) {_W}{{0,2}}?(?:{_IT_TOLD}|nulla\b)"
    rf"|\bnon (?:è|sono|viene|vengono|si trova(?:no)?|compare) (?:esplicitamente )?(?:{_IT_STATED} )?(?:nel|nei|nella"
    rf"|nelle|dal|dai|nelle|negli) {_W}{{0,2}}?{_IT}"
    rf"|\bnon è possibile {_W}{{0,2}}?(?:rispond\w+|{_IT_TELL}[^.!?]{{0,30}}?\b{_IT})"
    rf"|\b(?:in base|secondo|dal|dai|sulla base) {_W}{{0,3}}?{_IT}[^.!?]{{0,40}}?\bnon è (?:possibile|chiaro"
    rf"|{_IT_STATED})"
    rf"|\bnon (?:ci sono|c'è|vi sono|vi è) (?:abbastanza |alcuna |nessuna |sufficienti )?{_IT_TOLD}"
    rf"|^\W*nessuna? {_W}{{0,1}}?{_IT_TOLD}(?: (?:è )?{_IT_STATED}| (?:su|sul|sulla|nei|nel) [^.!?,]{{1,60}})?{_END}"
    rf"|^\W*(?:le|l'|la|queste|questa|tali) ?{_IT_TOLD} (?:{_W}{{1,2}})?non (?:è|sono) {_IT_STATED}(?: (?:nei"
    rf"|nel) {_W}{{0,2}}?{_IT})?{_END}"
    rf"|\bnessuno de\w+ {_W}{{0,2}}?{_IT} {_IT_SAY}|^\W*(?:(?:{_IT_TOLD} )?non {_IT_STATED}(?: (?:nei"
    rf"|nel) {_W}{{0,2}}?{_IT})?|sconosciut[oa]){_END}"
)

_NL = (
    r"(?:documenten|document|documentatie|context|teksten|tekst|fragmenten|fragment|passages?|bronnen|bron"
    r"|handleiding|artikelen)\b"
)
_NL_TOLD = r"(?:informatie|antwoord(?= op| in)|vermelding|details|gegevens over|aanwijzingen|uitspraak)\b"
_NL_SAY = (
    r"(?:vermeldt?|vermelden|noem(?:t|en)|zeg(?:t|gen)|beschrijf?v?(?:t|en)|geef?v?(?:t|en)|beantwoord(?:t|en)"
    r"|spreekt|bespreekt|bespreken)\b"
)
_NL_STATED = (
    r"(?:vermeld|genoemd|gespecificeerd|beschreven|aangegeven|beschikbaar|bekend|gevonden|opgenomen"
    r"|beantwoord|behandeld)\b"
)
_NL_TELL = (
    r"(?:beantwoorden|beantwoord|zeggen|bepalen|bepaald|vaststellen|vastgesteld|vinden|helpen|bevestigen"
    r"|vertellen)\b"
)
_DUTCH = re.compile(
    rf"\bik weet (?:het|dat|dit) (?:echt |helaas |ook )?niet\b|\bik weet niet\b|\bweet ik (?:het )?(?:helaas "
    rf"|echt )?niet\b|\bgeen (?:flauw )?idee\b"
    rf"|\b(?:ik heb|heb ik|ik vind|we hebben|(?:er|hierover|daarover) (?:is|zijn|staat)|is er|bevat(?:ten)?|geeft"
    rf"|geven|biedt|bieden) {_W}{{0,3}}?(?:geen|onvoldoende|niet genoeg|te weinig) {_W}{{0,2}}?{_NL_TOLD}"
    rf"|\b(?:ik|we) (?:kan|kunnen|kon) {_W}{{0,8}}?niets? {_W}{{0,2}}?{_NL_TELL}|\b(?:kan"
    rf"|kon) ik {_W}{{0,5}}?niets? {_W}{{0,2}}?{_NL_TELL}|\bben niet in staat\b"
    rf"|\b{_NL} {_W}{{0,2}}?{_NL_SAY} {_W}{{0,4}}?(?:niets?|geen {_W}{{0,2}}?{_NL_TOLD})|\b{_NL} {_W}{{0,2}}?(?:bevat"
    rf"|bevatten) {_W}{{0,3}}?(?:niets|dit niet|dat niet)\b"
    rf"|\bsta(?:at|an) {_W}{{0,4}}?niet (?:in|vermeld in) {_W}{{0,3}}?{_NL}|\bin {_W}{{0,3}}?{_NL} (?:staat|wordt"
    rf"|worden|is) {_W}{{0,4}}?(?:niets|niet {_W}{{0,2}}?{_NL_STATED})"
    rf"|\b(?:wordt|worden|is|zijn) {_W}{{0,3}}?niet {_W}{{0,2}}?{_NL_STATED} (?:in|door) {_W}{{0,3}}?{_NL}|\b(?:wordt"
    rf"|worden|is|zijn) (?:in|door) {_W}{{0,3}}?{_NL} niet {_W}{{0,2}}?{_NL_STATED}"
    rf"|\b(?:op basis van|volgens|aan de hand van|uit) {_W}{{0,3}}?{_NL}[^.!?]{{0,40}}?\b(?:niet mogelijk|onmogelijk"
    rf"|onduidelijk|niet {_W}{{0,2}}?{_NL_TELL})"
    rf"|\bniet {_W}{{0,2}}?{_NL_TELL} (?:op basis van|met|uit|aan de hand van) {_W}{{0,3}}?{_NL}|\bvraag (?:kan"
    rf"|is) {_W}{{0,6}}?niet {_W}{{0,3}}?(?:beantwoord|te beantwoorden)\b"
    rf"|^\W*(?:(?:deze|die|de gevraagde|de) {_NL_TOLD} (?:is|zijn|staat) (?:helaas )?niet {_NL_STATED}"
    rf"|niet {_NL_STATED}(?: in {_W}{{0,3}}?{_NL})?"
    rf"|geen {_W}{{0,1}}?{_NL_TOLD}(?: {_NL_STATED})?|onbekend|weet ik niet){_END}"
)

_PT = (
    r"(?:documentos?|documentação|contextos?|textos?|trechos?|passagens?|passagem|fontes?|manual|artigos?"
    r"|fragmentos?|excertos?)\b"
)
_PT_TOLD = r"(?:informaç(?:ão|ões)|menç(?:ão|ões)|respostas?|detalhes|dados sobre|referências?|indicaç(?:ão|ões))\b"
_PT_SAY = (
    r"(?:menciona[m]?|indica[m]?|especifica[m]?|diz|dizem|responde[m]?|fala[m]?|esclarece[m]?|informa[m]?"
    r"|descreve[m]?|aborda[m]?"
    r"|trata[m]?|permite[m]? (?:responder|determinar|saber|concluir))\b"
)
_PT_STATED = (
    r"(?:mencionad|indicad|especificad|disponíve|incluíd|fornecid|presente|detalhad|encontrad"
    r"|informad)(?:[oa]s?|l|is|s)?\b"
)
_PT_TELL = r"(?:responder|determinar|dizer|encontrar|ajudar\w*|saber|confirmar|fornecer|afirmar)\b"
_PORTUGUESE = re.compile(
    rf"\b(?:eu )?não (?:o )?sei{_END}|\bnão sei (?:a resposta|responder|se|qual|quant\w+|quem|como|onde|quando)\b"
    rf"|\bnão (?:faço|tenho) (?:a menor |a mínima )?id[eé]ia\b"
    rf"|\bdesconheço\b|\bnão (?:tenho|temos|disponho de|possuo) {_W}{{0,3}}?{_PT_TOLD}|\bnão (?:posso|consigo|podemos"
    rf"|sou capaz de|conseguimos) {_W}{{0,2}}?{_PT_TELL}"
    rf"|\b{_PT} {_W}{{0,3}}?não (?:o |a |nos |me |se )?{_PT_SAY}"
    rf"|\b{_PT} {_W}{{0,3}}?não (?:fornece|contém|oferece|inclui|dá|traz|apresenta|fornecem|contêm|oferecem|incluem"
    rf"|dão|trazem) (?:nenhuma? |essa |mais |a )?(?:{_PT_TOLD}|nada\b)"
    rf"|\bnão (?:é|são|está|estão|foi|aparece|consta|se encontra)m? (?:explicitamente )?(?:{_PT_STATED} )?n(?:o|a|os"
    rf"|as|um|este|esse|esses|estes) {_W}{{0,2}}?{_PT}"
    rf"|\bnão (?:é|foi) possível {_W}{{0,1}}?{_PT_TELL}[^.!?]{{0,40}}?\b(?:{_PT}|pergunta|resposta|informaç)"
    rf"|\b(?:segundo|com base|de acordo com|a partir) {_W}{{0,3}}?{_PT}[^.!?]{{0,40}}?\bnão (?:é possível"
    rf"|é {_PT_STATED}|se pode|há {_PT_TOLD})"
    rf"|\bnão (?:há|existem?) (?:nenhuma |suficientes? |mais )?{_PT_TOLD}"
    rf"|\bnão (?:foi|foram|encontrei|encontramos|encontro|achei) (?:encontrad\w+ )?(?:nenhuma? |ess[ae]s? "
    rf"|a )?(?:{_PT_TOLD}|nada\b|a resposta)"
    rf"|^\W*(?:a|essa|esta|as) {_PT_TOLD} (?:{_W}{{1,2}})?não (?:está|é|estão|foi"
    rf"|consta) ?(?:{_PT_STATED})?(?: n\w+ {_W}{{0,2}}?{_PT})?{_END}"
    rf"|\bnenhum d\w+ {_W}{{0,2}}?{_PT} {_PT_SAY}|^\W*(?:(?:{_PT_TOLD} )?não {_PT_STATED}(?: n\w+ {_W}{{0,2}}?{_PT})?"
    rf"|sem {_PT_TOLD}|desconhecid[oa]){_END}"
)

_ZH = r"(?:文档|文檔|文件|上下文|文本|文章|资料|資料|文中|原文|段落|材料|内容|內容|背景|来源|语境)"
_CHINESE = re.compile(
    rf"我(?:们|們)?(?:也|真的|并|並|暂时|目前)?(?:不知道|不清楚|不确定|不確定|无法|無法|不能)(?!.{{0,4}}游泳)(?=$|[。，！,.]|.{{0,12}}(?:答|案|确定|確定|问题|問題"
    rf"|判断|判斷|提供|告诉|告訴|得知|帮|幫|找到|回应))"
    rf"|我(?:们|們)?不(?:知道|清楚)\W*$|{_ZH}[^。！？]{{0,8}}?(?:没有|沒有|并未|並未|未|没|沒|并没有|並沒有|不)(?:明确|明確|具体|具體|直接)?(?:提到|提及|说明|說明"
    rf"|包含|提供|回答|涉及|指出|给出|給出|讨论|討論|描述|记载|記載|说|列出)"
    rf"|(?:根据|根據|基于|基於|从|從)[^。！？]{{0,12}}?{_ZH}[^。！？]{{0,12}}?(?:无法|無法|不能|没有|沒有)(?:确定|確定|回答|得知|判断|判斷|得出|关于|關於|提到|相关"
    rf"|相關|足够|足夠|知道)"
    rf"|(?:无法|無法|不能)(?:从|從|根据|根據|在)[^。！？]{{0,10}}?{_ZH}[^。！？]{{0,6}}?(?:得知|确定|確定|找到|回答|判断|判斷|得出)|(?:无法|無法)回答"
    rf"|(?:没有|沒有|暂无|暫無|缺乏|未找到|找不到|未能找到)[^。！？，]{{0,8}}?(?:相关|相關|足够|足夠|关于|關於|有关|有關|任何|更多)[^。！？，]{{0,12}}?(?:信息|資訊|资讯|资料"
    rf"|資料|内容|內容|答案)"
    rf"|^\W*(?:未(?:提及|说明|說明|提供|知|找到|提到)|(?:信息|資訊|资料|資料|证据)(?:不足|不可用|缺失)|不(?:知道|清楚|确定|確定|详)|没有答案|沒有答案|无(?:相关)?信息"
    rf"|没有(?:相关)?信息|无法确定|無法確定|不得而知)\W*$"
)
_JA = r"(?:文書|ドキュメント|文脈|コンテキスト|本文|資料|テキスト|記事|情報|文章)"
_JAPANESE = re.compile(
    rf"^\W*(?:すみません、|申し訳(?:ありません|ございません)(?:が)?、)?(?:私には)?(?:わかりません|分かりません|不明です|存じません|回答できません)\W*$"
    rf"|{_JA}[^。！？]{{0,16}}?(?:記載(?:が|は|されて)?(?:い)?(?:ません|ありません|ない)|(?:言及|説明|明記)(?:が|は|されて)?(?:い)?(?:ません|ありません|ない)"
    rf"|書かれていません|見つかりません|含まれていません)"
    rf"|{_JA}(?:から|では|だけでは)[^。！？]{{0,10}}?(?:判断|回答|特定|確認|お答え|答え)[^。！？]{{0,4}}?(?:できません|かねます|られません)"
    rf"|質問[^。！？]{{0,10}}?(?:答え|回答)[^。！？]{{0,4}}?(?:できません|られません|かねます)"
)

_PATTERNS = (
    (("nicht", "kein", "unbekannt", "unmöglich", "unklar", "schweig"), _GERMAN),
    (("ne ", "n'", "aucun", "non ", "pas ", "inconnu", "ignore", "impossible"), _FRENCH),
    (("no ", "descono", "ignoro", "sin ", "ningun", "ni idea"), _SPANISH),
    (("non ", "nessun", "sconosciut"), _ITALIAN),
    (("niet", "geen", "onbekend", "onvoldoende", "onmogelijk"), _DUTCH),
    (("não", "desconhe", "nenhum", "sem "), _PORTUGUESE),
    (("不", "未", "没", "沒", "无", "無", "缺", "找"), _CHINESE),
    (("ません", "不明", "ない"), _JAPANESE),
)
"""What every refusal of a language contains one of, and its pattern."""


def declines(text: str) -> bool:
    """Whether the folded sentence declines to answer in a language other than English."""
    return any(any(cue in text for cue in cues) and pattern.search(text) is not None for cues, pattern in _PATTERNS)
