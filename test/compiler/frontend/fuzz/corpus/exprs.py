a = lambda x, /, y=1, *z, k, **w: x
b = [x for x, in y if z if w for u in v], {k: v for k, v in w}, {*a, b}, (x async for x in y)
c = d[1:2, ::3, ..., *e, None, f := 2]
(g := 1) if not h else i < j is not k not in l
m.n(o, *p, q=r, **s)(t for t in u)
-a ** -b, ~+c, a @ b % c
x = y = yield from z
