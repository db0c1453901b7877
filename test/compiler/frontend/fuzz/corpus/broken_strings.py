x = "abc
y = f("d
z = f"{x" + f"{y:z" + f"}"
w = """
