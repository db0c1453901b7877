a = f"{x!r:>{w}}{{}}" "b" f'{y = :%H:%M}' rf"\d{z}"
b = f"{f"{f"{1}"}"}{a["b"]}{ {1: 2} }{(lambda: 1)()}"
c = f"""{
x  # c
:
}""" f"{a, *b}{yield}\N{DASH}\{x}"
