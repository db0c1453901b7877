"""`python -m tegula`: the command `tegula`."""

import sys

from tegula.command import main

sys.exit(main())
