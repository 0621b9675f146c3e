"""Training logs → tables of runs: what `runoff` reads of the folders that training tools leave behind (docs/design/logs.md)."""

from __future__ import annotations

from runoff.io.logs.claims import Tree
from runoff.io.logs.join import Joined, are_tables, is_one_history, join, tree_of_logs
from runoff.io.logs.survey import scan
