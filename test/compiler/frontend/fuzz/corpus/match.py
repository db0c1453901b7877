match a, *b:
    case [1, -2.5, 1 + 2j, "s", None, *_] | {"k": v, A.B: _, **r} if v > 1: pass
    case a.b.C(x, y=1, z=D()) as w: pass
    case (x,) | (2 as two): match = case
    case x, *y: pass
