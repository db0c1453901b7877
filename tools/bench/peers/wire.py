"""What the helper tells `tegula bench`: lines of words with tabs between them, on what was standard output.

    device NAME                    the chip
    version TEXT                   of a peer: "Triton 3.6.0"
    missing PEER REASON            it is not here; without PyTorch nothing else follows
    begin CASE                     rates: the number of a case in the plan, also below
    row CASE REGISTERS SPILLED SHARED
    side CASE NAME CONFIG MS...    milliseconds of each round; our side is the first of a row
    done CASE                      the row is complete
    failed CASE, left CASE         it could not be measured; there was no time for it
    margins TEXT                   errors: what counts as good
    begin TEXT, failed TEXT        the kernel and type at work; a shape that could not be measured
    error KERNEL TYPE SHAPES MEAN PYTORCHS WORST_MEAN WORST_LARGEST AT AT good|beyond
"""

import os
import sys

# Libraries may print: what they say goes to standard error from here on.
_out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def tell(*words):
    print("\t".join(str(word).replace("\t", " ").replace("\n", " ") for word in words), file=_out, flush=True)


def note(text):
    """For a person."""
    print(text, file=sys.stderr, flush=True)
