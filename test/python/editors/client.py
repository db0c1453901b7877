"""A client of the language server: frames, requests, and what the server says meanwhile."""

import json
import pathlib
import queue
import subprocess
import threading


class Client:
    """A server in a process of its own, which is ended with the client."""

    def __init__(self, executable, initialize=True):
        self.process = subprocess.Popen([executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages, self.published, self.replies, self.next = queue.Queue(), [], {}, 0
        threading.Thread(target=self._read, daemon=True).start()
        if initialize:
            self.capabilities = self.request("initialize", {"capabilities": {}})["capabilities"]
            self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def _read(self):
        out = self.process.stdout
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                break
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def raw(self, body):
        """Sends bytes as the body of a message."""
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, **message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params):
        self.send(method=method, params=params)

    def begin(self, method, params):
        """Sends a request and returns its id."""
        self.next += 1
        self.send(id=self.next, method=method, params=params)
        return self.next

    def step(self, seconds=30):
        message = self.messages.get(timeout=seconds)
        if message is None:
            raise EOFError("the server has ended")
        if "method" in message:
            self.published.append(message)
        else:
            self.replies[json.dumps(message["id"])] = message
        return message

    def reply(self, identity):
        while json.dumps(identity) not in self.replies:
            self.step()
        return self.replies.pop(json.dumps(identity))

    def request(self, method, params):
        reply = self.reply(self.begin(method, params))
        assert "error" not in reply, reply
        return reply["result"]

    def open(self, text, uri="file:///tmp/kernel.py", version=1, language="python"):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": language, "version": version, "text": text}})

    def change(self, text, version, uri="file:///tmp/kernel.py"):
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def diagnostics(self, version=1, uri="file:///tmp/kernel.py"):
        """The diagnostics of a version of a document, waited for."""
        while True:
            for message in self.published:
                params = message["params"]
                if message["method"] == "textDocument/publishDiagnostics" and params["uri"] == uri and params.get("version") == version:
                    self.published.remove(message)
                    return params["diagnostics"]
            self.step()

    def at(self, method, text, needle, uri="file:///tmp/kernel.py", skip=0, **more):
        """A request about the place where `needle` begins in `text`, `skip` characters behind it."""
        before = text[:text.index(needle) + skip]
        line = before.count("\n")
        character = len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2
        return self.request(f"textDocument/{method}",
                            {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more})


def everything(uri="file:///tmp/kernel.py"):
    """The parameters of a request about a whole document."""
    return {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 10000, "character": 0}},
            "context": {"diagnostics": []}}


def uri_of(path):
    return pathlib.Path(path).resolve().as_uri()
