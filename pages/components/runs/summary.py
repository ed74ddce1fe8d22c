"""A run's numbers: each mean with its interval and counts; comparison with the ground truth; usage."""

from __future__ import annotations

from collections import Counter

import numpy as np
import streamlit as st

from pages.components.record.scorecard import show_means
from pages.components.runs.filters import Filtered
from pages.components.shared.chart import draw
from pages.components.shared.text import plain
from trace_core.diagnosis.rescoring import relevance_divisor
from trace_core.errors import InputError, counted
from trace_core.metrics import METRICS
from trace_core.store.runs import Run
from trace_core.summary import charts
from trace_core.summary.aggregation import truth_values
from trace_core.summary.columns import STATUSES


def show_metrics(shown: Filtered) -> None:
    """The four metrics, balance and consistency: mean, interval, and the number of records behind it."""
    status = shown.scores.status[shown.mask]
    found = Counter(status.tolist())
    parts = [f"**{found[name]:,}** {name.replace('_', ' ')}" for name in STATUSES if found[name] or name == "scored"]
    st.markdown(f"{counted(len(status), 'record')}: " + " · ".join(parts))
    show_means(shown.values(), status, shown.scores.convention, key="run-means")


def show_truth(run: Run, shown: Filtered) -> None:
    """Scores next to the ground truth under the same convention, where the records have it."""
    if shown.columns.truth is None:
        st.info("These records have no ground truth. Upload rows with labels or `ground_truth_scores` to have it.")
        return
    try:
        truths = truth_values(shown.columns, shown.scores.convention, relevance_divisor(run.config))
    except InputError as error:
        st.info(plain(str(error)))
        return
    truth = {name: values[shown.mask] for name, values in truths.items()}
    predicted = shown.values()
    rmse = {}
    for name in METRICS:
        errors = predicted[name] - truth[name]
        errors = errors[~np.isnan(errors)]
        if len(errors):
            rmse[name] = float(np.sqrt((errors**2).mean()))
    if not rmse:
        st.info("None of these records has both a score and its ground truth.")
        return
    draw("Error against ground truth (RMSE)", charts.truth_errors(rmse), key="truth-errors")
    draw(
        "Each record's score beside its ground truth",
        charts.against_truth(predicted, truth, shown.ids()),
        key="truth-points",
    )


def show_usage(run: Run, shown: Filtered) -> None:
    """The run's usage: calls, tokens, money, seconds."""
    if any(run.usage.values()):
        draw("What the run used", charts.usage(run.usage), key="usage")
        st.json(run.usage)
    else:
        st.caption("No paid call: the labels were made on this machine, or came with the rows.")
    seconds = shown.columns.facts["seconds"][shown.mask]
    seconds = seconds[~np.isnan(seconds)]
    if len(seconds):
        st.caption(f"Seconds a record: mean {seconds.mean():.2f}, median {np.median(seconds):.2f}.")
