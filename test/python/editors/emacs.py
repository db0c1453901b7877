"""Emacs in a terminal of its own, which does what a script in Emacs Lisp says and writes down what it sees."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import termios
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["TEGULA_BUILD_DIR"])
#: Debian's packages, which `-Q` leaves out.
PACKAGES = pathlib.Path("/usr/share/emacs/site-lisp/elpa")
#: Rows and columns of the terminal.
SIZE = (50, 160)
#: Seconds until a test is given up. Each step of a script has less (`tegula-patience`), so that it can say what it waits for.
LIMIT = 180

#: Comes before the configuration of a page: Debian's packages, and nothing that asks a question or writes outside of HOME.
HEAD = """;;; -*- lexical-binding: t -*-
(setq package-directory-list '("%(packages)s") make-backup-files nil auto-save-default nil create-lockfiles nil)
(package-initialize)
(defvar tegula-found nil "What the script has seen, as (NAME . VALUE).")
(defun tegula-note (name value) (push (cons name value) tegula-found))
(defun tegula-write (found)
  "Write FOUND as JSON, whole or not at all."
  (with-temp-file "%(result)s.part" (insert (json-encode found)))
  (rename-file "%(result)s.part" "%(result)s" t))
(defun tegula-messages () (with-current-buffer "*Messages*" (buffer-string)))
"""

#: Comes behind it. The script is carried out while Emacs waits for keys, as all that editors do on their own is.
TAIL = """
(require 'generator)
(defconst tegula-patience 60)
(defmacro until (condition)
  "Go on with the script when CONDITION holds."
  `(while (not ,condition) (iter-yield ',condition)))
(defmacro until-noted (name form)
  "Note the value of FORM under NAME when there is one."
  `(let (value) (until (setq value ,form)) (tegula-note ,name value)))
(defun tegula-text () (buffer-substring-no-properties (point-min) (point-max)))
(defun tegula-go (needle &optional behind)
  "Go to where NEEDLE begins, BEHIND characters behind it."
  (goto-char (point-min))
  (search-forward needle)
  (goto-char (+ (match-beginning 0) (or behind 0))))
(iter-defun tegula-script ()
%(script)s
)
(defvar tegula-running (tegula-script))
(defvar tegula-awaited (cons nil (float-time)) "What is waited for, and since when.")
(defun tegula-tick ()
  "Carry out the script as far as it goes now; end Emacs with it."
  (condition-case wrong
      (condition-case nil
          (let ((awaited (with-current-buffer (window-buffer) (iter-next tegula-running))))
            (unless (eq awaited (car tegula-awaited)) (setq tegula-awaited (cons awaited (float-time))))
            (when (> (- (float-time) (cdr tegula-awaited)) tegula-patience) (error "Waited too long for %%S" awaited))
            (run-at-time 0.02 nil #'tegula-tick))
        (iter-end-of-sequence (tegula-write tegula-found) (kill-emacs)))
    (error (tegula-write `((error . ,(error-message-string wrong)) (found . ,(format "%%S" tegula-found)) (messages . ,(tegula-messages))))
           (kill-emacs 1))))
(find-file "%(file)s")
(run-at-time 0 nil #'tegula-tick)
"""


def needs(*packages):
    """Skips the tests of a module where Emacs or one of its packages is not installed."""
    if not shutil.which("emacs"):
        return pytest.mark.skip(reason="Emacs is not installed")
    missing = [name for name in packages if not list(PACKAGES.glob(f"{name}-[0-9]*"))]
    return pytest.mark.skipif(bool(missing), reason=f"not installed for Emacs: {', '.join(missing)}")


def configuration(page, package):
    """The Emacs Lisp that a page shows for a package, the block that requires it."""
    blocks = re.findall(r"```elisp\n(.*?)```", (ROOT / "tools" / "tegula" / page).read_text(), re.S)
    [block] = [one for one in blocks if f"(require '{package})" in one]
    return block


class Emacs:
    """A process of Emacs that has a terminal, and what it has drawn there."""

    def __init__(self, init, home):
        environment = {**os.environ, "PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}", "HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8"}
        for name in "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "EMACSLOADPATH", "INSIDE_EMACS":
            environment.pop(name, None)
        self.drawn = b""
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            with contextlib.suppress(OSError):
                os.chdir(home)
                os.execvpe("emacs", ["emacs", "-nw", "-Q", "-l", str(init)], environment)
            os._exit(127)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.terminal)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def draw(self, seconds):
        """Takes what Emacs draws within a time; False where it has ended."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            part = os.read(self.terminal, 1 << 16)
        except OSError:  # Linux's way to say that the other side is closed
            return False
        self.drawn += part
        return bool(part)

    def screen(self):
        """What was drawn last, without the terminal's commands."""
        text = self.drawn[-20000:].decode(errors="replace")
        return re.sub(r"\s*\n\s*", "\n", re.sub(r"\x1b(\[[0-9;?>]*[A-Za-z]|[()][0-9A-Z]|[=>A-Z])", "\n", text))


def play(folder, kernel, configured, script, name="kernel.py"):
    """What a script notes about a file with the text `kernel`, by name. `configured` is the user's configuration."""
    home, file, result = folder / "home", folder / name, folder / "result.json"
    home.mkdir(exist_ok=True)
    file.write_text(kernel)
    names = {"packages": PACKAGES, "result": result, "script": script, "file": file}
    init = folder / "init.el"
    init.write_text(HEAD % names + configured + TAIL % names)
    with Emacs(init, home) as emacs:
        deadline = time.monotonic() + LIMIT
        while not result.exists() and emacs.draw(0.1) and time.monotonic() < deadline:
            pass
        assert result.exists(), f"Emacs has said nothing; its screen:\n{emacs.screen()}"
    found = json.loads(result.read_text())
    assert "error" not in found, "\n".join(map(str, [found["error"], found["found"], found["messages"], emacs.screen()]))
    return found
