"""The evidence view: which document sentences support which sentence of the answer.

`view` turns a record into plain JSON; `evidence.js` and `evidence.css` draw that JSON, both on
the dashboard's pages and in the HTML report.
"""

from trace_core.evidence.scorecard import means, scorecard
from trace_core.evidence.view import assets, scorecard_assets, view

__all__ = ["assets", "means", "scorecard", "scorecard_assets", "view"]
