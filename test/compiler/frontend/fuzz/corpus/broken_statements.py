f() = 1
for 1 in x: return
def f(a, a, b=1, c, *, **d, e): break
class: pass
x = = 1; print y
import
from . import (a
lambda = $ ? ! `
try: pass
