"""The evidence view: which document sentences support which sentence of the answer, as JSON that scripts draw."""

from trace_core.evidence.scorecard import means, scorecard, tone_of
from trace_core.evidence.view import assets, venn, view

__all__ = ["assets", "means", "scorecard", "tone_of", "venn", "view"]
