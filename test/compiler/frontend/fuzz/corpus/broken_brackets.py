x = f(1, [2)
y = (1,
def f():
    return }
z = {
