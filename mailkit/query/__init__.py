"""The query room: Gmail's search syntax as a tree, and what can be done with it.

``parse`` reads text, ``Q`` builds from values, ``render`` writes the canonical text, ``to_gmail`` what Gmail is sent,
``plan`` says what Microsoft Graph is asked, ``matches`` decides on a message, ``Explanation`` tells what became of a
query. Pure: no clock, no environment, no mailbox; ``QueryContext`` brings what is needed.
"""

from __future__ import annotations

from mailkit.query import ast
from mailkit.query.builder import Q
from mailkit.query.candidate import Candidate, CandidateFile, CandidateFolder
from mailkit.query.context import QueryContext
from mailkit.query.explanation import Explanation, PlannedRequest, ProviderPlan, TermReport
from mailkit.query.gmail import to_gmail
from mailkit.query.gmail_report import gmail_report
from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox
from mailkit.query.graph_plan import GraphPlan, plan
from mailkit.query.match import matches
from mailkit.query.parser import parse
from mailkit.query.render import render
from mailkit.query.scope import admitted

__all__ = [
    "Candidate",
    "CandidateFile",
    "CandidateFolder",
    "Explanation",
    "GraphFolder",
    "GraphMailbox",
    "GraphPlan",
    "PlannedRequest",
    "ProviderPlan",
    "Q",
    "QueryContext",
    "TermReport",
    "admitted",
    "ast",
    "gmail_report",
    "matches",
    "parse",
    "plan",
    "render",
    "to_gmail",
]
