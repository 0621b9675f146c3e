"""What people type first, from other libraries or by guess, and what does it here.

It knows the calls and options of the rooms above, and those below ask it through a port (`base/ports.py`) when a call has failed.

words      names elsewhere, and the calls, arguments, members and figures that they mean here
arguments  arguments that a call does not have
"""

from runoff.hints.arguments import Room, hinted, refusal_of
from runoff.hints.words import member_hint

__all__ = ["Room", "hinted", "member_hint", "refusal_of"]
