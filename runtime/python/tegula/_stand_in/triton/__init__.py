import sys

from tegula.stand_in import become_triton

become_triton(sys.modules[__name__])
