"""Reading of training logs as tables of runs, from the folders that training tools leave behind (docs/design/logs.md)."""

from __future__ import annotations

from runoff.reading.logs.claims import Tree as Tree
from runoff.reading.logs.claims import are_tables as are_tables
from runoff.reading.logs.claims import is_one_history as is_one_history
from runoff.reading.logs.claims import tree_of_logs as tree_of_logs
from runoff.reading.logs.join import Gathered as Gathered
from runoff.reading.logs.join import join as join
from runoff.reading.logs.join import scan as scan
