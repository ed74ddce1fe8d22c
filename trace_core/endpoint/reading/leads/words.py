"""The words of clauses that tell what a text is: who asks, answers, finds and says, in ten languages."""

from __future__ import annotations

import re

from trace_core.endpoint.reading.language.described import ASKS_HOW
from trace_core.endpoint.reading.language.roles import PASSAGES, REPLIED, TEXTS, stems

PHRASES = (
    (ASKS_HOW, "the"),
    (re.compile(r"\b(?:hits|results|entries|pages|sources|articles|excerpts|passages|snippets|documents|docs|chunks"
                r"|contexts|texts|paragraphs)[ ](?:came|come)[ ]back\Z", re.IGNORECASE), "passages found"),
    (re.compile(r"\bat[ ](?:its|their|his|her|our)[ ](?:disposal|hand)\b|\bat[ ]hand\b|\bzur[ ]verfügung\b"
                r"|\bà[ ](?:sa[ ]|leur[ ])?disposition\b|\ba[ ](?:su[ ])?disposición\b|\ba[ ](?:sua[ ])?disposizione\b"
                r"|\bà[ ]disposição\b|\btot[ ](?:zijn|haar)[ ]beschikking\b", re.IGNORECASE), ""),
    (re.compile(r"\b(?:came|comes|come)[ ]back[ ]with\b(?=[^.]{0,30}\b(?:passages?|documents?|docs?|chunks?|contexts?"
                r"|texts?|articles?|pages?|excerpts?|snippets?|sources?)\Z)", re.IGNORECASE), "found"),
    (re.compile(r"\b(?:came|comes|come)[ ]up[ ]with\b"
                r"|\b(?:came|comes|come|shot|fired|wrote|got|spat|gave)[ ](?:back|out)\b",
                re.IGNORECASE), "replied"),
    (re.compile(r"\b(?:was|were|got)[ ]told\b", re.IGNORECASE), "got replied"),
    (re.compile(r"\b(?:came|come|coming)[ ]up\b|\b(?:working|worked)[ ]from\b|\blooked[ ](?:at|up|through)\b"
                r"|\b(?:relied|relying|based|drew|drawing)[ ]on\b", re.IGNORECASE), "found"),
    (re.compile(r"\baurai(?:en)?t[ ]dû\b|\baurait[ ]fallu\b", re.IGNORECASE), "should"),
    (re.compile(r"\b(?:answer[ ](?:key|sheet)|mark(?:ing)?[ ]scheme|model[ ]answer|sample[ ]solution|klucz[ ]odpowiedzi"
                r"|antwoordmodel|modelantwoord|muster(?:lösung|antwort)|lösungsblatt|corrigé|gabarito|facit)\b",
                re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:on[ ]attendait|nous[ ]attendions|we(?:[ ]would|['’]d)?(?:[ ]have|[ ]had)?[ ]expected"
                r"|wir[ ](?:hatten[ ])?erwarte(?:te[nt]|t)"
                r"|esperábamos|ci[ ]aspettavamo|esperávamos|we[ ]verwachtten|vi[ ]väntade[ ]oss"
                r"|oczekiwaliśmy|(?:hätten|hatten)[ ]wir[ ]erwartet"
                r"|erwartet[ ](?:hätten|hatten)[ ]wir)(?:[ ](?:was|war|était|era|byl[oa]|var))?\Z",
                re.IGNORECASE), "should replied"),
    (re.compile(r"\bcert[ao]\b", re.IGNORECASE), "correcto"),
    (re.compile(r"\b[èé]\Z", re.IGNORECASE), "is"),
    (re.compile(r"\ba[ ]tapé\b", re.IGNORECASE), "typed"),
    (re.compile(r"\b(?:appuy\w{2,4}|bas\w{1,8}|gestützt|stützte?(?:[ ][^\W\d_]{2,5}){0,2}|baseer\w{2,3}(?:[ ]zich)?"
                r"|gebaseerd|opar\w{1,4}(?:[ ]się)?)[ ](?:sur|en|su|auf|op|na)\b", re.IGNORECASE), "found"),
    (re.compile(r"\b(?:dug|brought|threw|turned)[ ]up\b", re.IGNORECASE), "found"),
    (re.compile(r"\btop[ ]hit\b", re.IGNORECASE), "hits"),
    (re.compile(r"\blaut[ ](?:der[ ])?lösung\b|\bexpected[ ](?:it|(?:the|our)[ ](?:bot|assistant|model|system))[ ]to"
                r"[ ](?:say|answer|reply|respond)\b", re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:al|au|ao|dem|unserem|den|unseren)[ ](?:chat)?(?:bot|asistente|assistant|assistente|assistenten"
                r"|modelo|modèle|modell|sistema|système|system)\b", re.IGNORECASE), ""),
    (re.compile(r"\baccording[ ]to\b(?=[ ](?:\w{1,20}[ ]){1,4}the[ ](?:right|correct|true|expected)[ ]answer)",
                re.IGNORECASE), ""),
    (re.compile(r"\baccept(?:ed|able)[ ](?:answers|responses)(?=[ ]are\b)", re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:knowledge[ ]base|wissensdatenbank)(?=[ ](?:gave|had|has|said|says|gab|hat|hatte|sagt)\b)",
                re.IGNORECASE), "source"),
    (re.compile(r"\bq(?=[ ](?:was|is)\b)", re.IGNORECASE), "question"),
    (re.compile(r"\bfind[ ]out\b", re.IGNORECASE), "know"),
    (re.compile(r"\b(?:typed|entered)[ ]in\b", re.IGNORECASE), "typed"),
    (re.compile(r"(?<=odpowiedź )to\Z", re.IGNORECASE), "jest"),
    (re.compile(r"\bwould[ ](?:be|have[ ]been)\b", re.IGNORECASE), "is"),
    (re.compile(r"\ba[ ]dit\b|(?<=\breplied[ ]{2})dit\b|(?<=\bbot[ ])dit\b|(?<=\bassistant[ ])dit\b|\bsa\Z",
                re.IGNORECASE), "said"),
    (re.compile(r"\b(?:behind|for|underlying)[ ](?:the|that|this|its)[ ](?:answer|reply|response)\b",
                re.IGNORECASE), ""),
    (re.compile(r"\bsystem[ ]prompt\b", re.IGNORECASE), "not"),
    (re.compile(r"\bcontest(?:ó|aron|ado|aba|a)\b", re.IGNORECASE), "respondió"),
    (re.compile(r"n['’]t\b|\bused[ ]to\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(?:qu|l|d|s|j|n|c)['’]", re.IGNORECASE), ""),
)  # fmt: skip
"""Phrases, and words of another language's look, by words that mean the same."""
ASKS = stems(
    "asked asks ask emailed mailed messaged texted inquired enquired typed types typte getypt getippt tippte entered "
    "wondered gefragt fragt fragte demand pregunt chiest chied domand pergunt vroeg gevraagd fragade undrade zapyta "
    "spyta dopyt erkundig anfragte renseign digito digitat tecle raised posed tapai tapant eingetipp eingegeben "
    "intyp ingetypt wpisal informat informo informier"
)
KNOWS = frozenset("know learn wissen erfahren savoir saber sapere weten veta wiedziec dowiedziec".split())
WANTED = stems("want quis wollte mochte voulai voulu quiso queria quer volev voluto wilde ville chcial")
SEARCHES = stems(
    "searched queried query gesucht suchte busco buscado cherche cercato zocht gezocht sokte szukal pesquisou procurou"
)
"""After these `for` leads to the words that were looked for."""
FOR = frozenset("for nach naar efter".split())
REPLIES = (
    *REPLIED,
    *stems("respond repond contest rispos geantwort geantwoord beantwort odpisal entgegn erwider replic repliq"),
)
SAYS = stems(
    "said says say told tells tell wrote writes claimed claims stated states generated produced gave reads sagte "
    "gesagt sagt behauptete schrieb schreibt geschrieben sagen meint gab steht stand dire affirm dijo dicho decir "
    "detto disse dice dire diz dizer dito escrib escrit scritto ecrit escreve schreef skrev napisal zei gezegd zeggen "
    "advis disai decia diceva dizia explain erklar expliq explic spieg indiq indico confirm bestatig potwierdz "
    "bevestig sade sagt saga powiedzia generer genero generat spuckt"
)
TOPICS = (*TEXTS, *PASSAGES, *stems("texten textern textes textos testi tekst stukje merkblatt"))
FINDS = stems(
    "found finds retrieved pulled fetched surfaced gefunden fand trouve encontr recuper trovat gevonden vond hittade "
    "hittat znalaz znalez remont retrouv reading herangezogen zurate gelesen gelezen "
    "lisant leyendo leggendo lendo"
)
CONSULTS = stems("consult konsult")
"""What a person does who asks, and a machine that reads."""
FETCHED = stems("retrieved fetched recuper abgerufen")
"""What people say that they did where their search did it: `we retrieved two passages`."""
HITS = stems("got returned results hits index knowledge ergebnis resultat resultad risultat")
RETURNS = stems(
    "returned returns turned delivered supplied liefert geliefert devolv devuel trajo traido devolu restitu renvoy "
    "fourni fornec fornit lever gelever teruggaf teruggegeven aterga zwroci dostarczy"
)
"""What a search gives is found; what anyone else gives may be an answer."""
SEARCH = frozenset("search retriever retrieval suche index indice".split())
SEARCHERS = stems(
    "searchengine suchmasch suchind buscador busqueda recherche ricerca zoekm zoekf zoekop wyszukiwark wyszukiwan "
    "sokmotor sokfunk sokning pesquisa vectorstore"
)
ENGINES = stems("engine motor moteur motore system sistem systeem silnik tool software")
"""Machines that may search, or speak."""
ORIGINS = frozenset(
    "from out of aus von vom de du des del della dello dei da dal do dos das van uit fran ur z ze".split()
)
"""After a passage these tell where it stands: `two excerpts from our rules`."""
SHOULD = stems(
    "should ought supposed sollen sollte mussen devrait debi debe tendria dovrebbe dovuto dever moeten borde skulle "
    "powinien powinna powinno"
)
TRUE = stems(
    "true truth gold reference referen expected erwartet correct richtig korrekt attendu esperad "
    "attes verwacht juist giust ratt poprawn prawidlow oczekiwan corret esatt bonne ideal right solution "
    "losung muster model-answer facit modelantw gabarito corrige solucion soluzion"
)
REFERENCES = stems("referenc referenz referent riferiment solution losung soluzion solucion facit")
ADVERBS = ("ly", "mente", "ement")
ANSWERED = re.compile("geantwortet|beantwortet|antwortete|geantwoord")
MACHINES = stems(
    "bot chatbot assistant assistent asistent asystent machine model modell modele modelo modello system sistema "
    "systeem helper copilot chatgpt gemini claude kiosk search retriever helper tool agent rag demo gpt llm "
    "script pipeline software engine assistente robot buscador suchmaschine moteur wyszukiwark"
)
MACHINE = frozenset("it ai ki ia app apps".split())
ASKERS = stems(
    "customer client kund klant klient user utilisat usuari utent gebruiker anvandar uzytkowni visitor visit besucher "
    "bezoeker pupil student schuler eleve alumn leerling elev reader leser guest gast gaste ospit caller patient "
    "member someone somebody tenant mieter besokar travell traveler diner shopper applicant resident policyholder "
    "passenger citizen subscriber trainee apprentice fahrgast burger passagier usager adherent citoyen salarie "
    "habitant vecino ciudadano cittadin cidadao inwoner"
)
"""Who asks a machine."""
PERSONS = (
    *ASKERS,
    *stems(
        "people person boss chef teacher lehrer colleague kolleg collega friend expert lawyer doctor human librarian "
        "mother father receptionist engineer"
    ),
)
PERSON = frozenset("we he she they ich wir je nous yo nosotros io noi eu nos ik wij jag vi ja you".split())
FIRST = frozenset("we ich wir je nous yo nosotros io noi eu ik wij jag vi".split())
PASSIVE = frozenset(
    "was were got gets get being been received receives wurde wurden worden erhielt bekam bekommen recibio recibido "
    "recu ricevuto recebeu kreeg werd blev fick dostal dostala fue ete stato".split()
)
DENIED = frozenset(
    "not never no without instead ignored missed overlooked skipped forgot failed wrong wrongly falsch nicht nie kein "
    "keine keinen ne pas jamais nunca jamas non mai nao niet nooit geen inte aldrig nigdy rather almost could might "
    "would called titled named headed entitled genannt intitule titulado intitolato getiteld tytul like unlike if "
    "whether according previously formerly originally".split()
)
"""Nothing of the kind has happened, or a title follows."""
NEGATED = frozenset("not never nicht nie kein keine ne pas jamais nunca non mai nao niet geen inte".split())
COPULAS = frozenset(
    "is was were are be been war ware ist sind waren lautete lautet gewesen est etait serait etaient es era eran fue "
    "seria son sono erano sarebbe sao eram foi is waren zijn zou ar var vore byl byla bylo jest".split()
)
FILLS = frozenset(
    "des du del della either single uns "
    "put cited tutor best first label standard utilise utilisee utilises utilizo usato utilizzato gebruikte gebruikt "
    "verwendet verwendete genutzt anvande uzyl posee posta gestellte this these those the following which here as "
    "below above namely with in order i e its him her them me us back up all one two three four five six seven eight "
    "nine only just own had have has did do got get given sent used my our your their a an of to by then also too for "
    "on at diese dieser dieses diesen folgende folgenden folgendes dazu daraufhin dafur ihm ihr ihn er es sie so wie "
    "folgt mit und zwei drei vier beiden namlich hatte hat haben habe unseren unserem unsere unser den dem der die "
    "das ein eine zu y lo siguiente siguientes esto estos este estas al la el le les los las un una ces ceci cet "
    "cette suivant suivante suivants suivantes voici deux trois ainsi il elle a notre nos que ha he ho han con cui "
    "questo questi questa queste seguente seguenti alla allo cosi nostro nostra isto esses estes seguinte seguintes "
    "ao aos o os as do da por aan op het de een dit deze volgende dat wie onze ons heeft had hij denna dessa detta "
    "sich zich si lui leur foljande zuruck till som den att vi har var nasza naszego ten te to nastepujace nas".split()
)
"""What may stand between the telling word and the text."""
HANGING = frozenset(
    "the a an to in of from on at by about der die das den dem des ein eine le la les el los las il lo un una de het "
    "een du do da zu im am o os as den det till que dass che dat att ze".split()
)
"""The last word of a sentence that goes on within the quotation marks: `it said the “green” one`."""
