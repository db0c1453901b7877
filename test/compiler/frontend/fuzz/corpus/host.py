class A(B, metaclass=C):
    x: int = 1
    async def f(self, a, /, b=1, *c, d: int = 2, **e) -> None:
        async with a as b, c: await d
        async for x in y: yield x
    @property
    def g(self): return (yield)
def h[T: int, *Ts, **P](): global x; del a, b[0]
try: pass
except (A, B) as e: raise X from e
except: raise
else: assert x, "y"
finally: pass
with (open(a) as b, c): pass
type X[T] = int
