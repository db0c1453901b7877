"""Prints what a client of `tegula mcp` sends, a message a line."""
import json
import sys

HEAD = "import triton\nimport triton.language as tl\n@triton.jit\n"
STORE = HEAD + "def k(x):\n    tl.store(x, 5)\n"
ENDLESS = HEAD + "def k(x):\n    while tl.load(x) == 0:\n        tl.store(x + 1, tl.load(x + 1) + 1)\n"


def call(number, name, **arguments):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}))


print('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}')
print('{"jsonrpc":"2.0","method":"notifications/initialized"}')
call(2, "list", source=HEAD + "def add_kernel(x):\n    pass\n", json=True)
call(3, "run", source=STORE, grid=1, arg={"x": "empty:i32[1]"}, device="emulator", print=["x"])
call(4, "run", source=STORE + "    y = zz\n", grid=1, arg={"x": "empty:i32[1]"}, device="emulator")
call(5, "run", source=ENDLESS, grid=1, arg={"x": "zeros:i32[2]"}, device="emulator", limit_s=1)
call(7, "list", file=sys.argv[1], json=True)
print("{")
print('{"jsonrpc":"2.0","id":6,"method":"ping"}')
