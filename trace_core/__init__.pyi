"""What TRACE offers to a program: type checkers read it, and `__init__.py` finds each name's module here."""

from trace_core.diagnosis.rescoring import rescore as rescore
from trace_core.errors import TraceError as TraceError
from trace_core.facts.cleaning import clean as clean
from trace_core.facts.labels import Labels as Labels
from trace_core.facts.records import Document as Document
from trace_core.facts.records import Record as Record
from trace_core.facts.records import Scores as Scores
from trace_core.facts.records import Sentences as Sentences
from trace_core.library import ask as ask
from trace_core.library import from_frame as from_frame
from trace_core.library import label_frame as label_frame
from trace_core.library import scores as scores
from trace_core.library import to_frame as to_frame
from trace_core.metrics import CONVENTIONS as CONVENTIONS
from trace_core.metrics import METRICS as METRICS
from trace_core.metrics import score as score
from trace_core.metrics.truth import compare_run_to_truth as compare_run_to_truth
from trace_core.metrics.truth import compare_to_truth as compare_to_truth
from trace_core.pipeline import evaluate as evaluate
from trace_core.summary.aggregation import aggregate as aggregate
