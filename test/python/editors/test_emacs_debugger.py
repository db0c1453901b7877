"""`tegula dap` in Emacs, by dap-mode, with the configuration that DEBUGGING.md shows for the kernel that it shows."""

import re

import emacs

pytestmark = emacs.needs("dap-mode")

#: `scale.py` of the page: the NaN is made in line 10, in the last of four programs.
SCALE = re.search(r"```python scale.py\n(.*?)```", (emacs.ROOT / "tools" / "tegula" / "DEBUGGING.md").read_text(), re.S)[1]
ENDLESS = """import triton
import triton.language as tl


@triton.jit
def k(out, n):
    while n != 0:
        n += 2
        tl.store(out, n)
"""
ENDLESS_WORDS = '["kernel.py" "--grid=1" "--arg=n=1" "--arg=out=zeros:i32[1]"]'

#: What a user does with keys and looks at; the functions of dap-mode that have no other names are its own `--` ones.
HELP = """
(setq completing-read-function (lambda (_prompt names &rest _) (car names)))
(defun tegula-launch (&optional args)
  "Start what the page's template says, or ARGS."
  (let ((conf (copy-tree (cdr (assoc "kernel" dap-debug-template-configurations)))))
    (dap-debug (if args (plist-put conf :args args) conf))))
(defun tegula-frame () (let ((session (dap--cur-session))) (and session (dap--debug-session-active-frame session))))
(defun tegula-stop ()
  "Return the function and the line of the frame that is shown."
  (let ((frame (tegula-frame))) (and frame (list (gethash "name" frame) (gethash "line" frame)))))
(defun tegula-said (buffer text)
  "Return the text of BUFFER where it holds TEXT."
  (and (get-buffer buffer) (with-current-buffer buffer (and (string-match-p (regexp-quote text) (buffer-string)) (tegula-text)))))
(defun tegula-break (needle)
  (tegula-go needle)
  (dap-breakpoint-add))
(defun tegula-answer (command text)
  "Call COMMAND, and answer with TEXT."
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) text))) (call-interactively command)))
(defun tegula-has-ended ()
  (and (not (process-live-p (dap--debug-session-proc (dap--cur-session))))
       (eq (dap--debug-session-state (dap--cur-session)) 'terminated)))
"""
SESSION = """
  (tegula-break "e = tl.exp")
  (tegula-answer #'dap-breakpoint-condition "n < 3")
  (tegula-break "tl.store")
  (tegula-answer #'dap-breakpoint-log-message "row {row}: {y[0]}")
  (tegula-launch)
  (until-noted 'breakpoint (tegula-stop))
  (tegula-note 'line (line-number-at-pos))
  (dap-ui-locals)
  (until-noted 'locals (tegula-said dap-ui--locals-buffer "top:"))
  (dap-eval "top + 1")
  (until-noted 'evaluated (tegula-said "*Messages*" "=> "))
  (dap-next (dap--cur-session))
  (until-noted 'next (tegula-stop))
  (dap-step-out (dap--cur-session))
  (until-noted 'out (tegula-stop))
  (dap-continue (dap--cur-session) 1)
  (until-noted 'again (tegula-stop))
  (with-current-buffer "scale.py" (tegula-go "e = tl.exp") (dap-breakpoint-toggle))
  (dap-continue (dap--cur-session) 1)
  (until-noted 'exception (tegula-said "*Messages*" "Exception has occurred"))
  (until-noted 'nan (tegula-stop))
  (dap-continue (dap--cur-session) 1)
  (until (equal "end" (gethash 1 (dap--debug-session-thread-states (dap--cur-session)))))
  (tegula-note 'output (tegula-said "*kernel out*" "row"))
  (dap-continue (dap--cur-session) 1)
  (until (tegula-has-ended))
"""
PAUSE = f"""
  (tegula-launch {ENDLESS_WORDS})
  (until (eq (dap--debug-session-state (dap--cur-session)) 'running))
  (dap-stop-thread)
  (until-noted 'paused (tegula-stop))
  (dap-continue (dap--cur-session) 1)
  (tegula-break "tl.store")
  (until-noted 'breakpoint (tegula-stop))
  (dap-disconnect (dap--cur-session))
  (until (tegula-has-ended))
"""
THREADS = """
  (tegula-break "e = tl.exp")
  (tegula-launch (vconcat (plist-get (cdr (assoc "kernel" dap-debug-template-configurations)) :args) ["--device=emulator"]))
  (until-noted 'breakpoint (tegula-stop))
  (dap-ui-locals)
  (until-noted 'scopes (tegula-said dap-ui--locals-buffer "Arrays"))
  (dap-switch-thread)
  (until-noted 'threads (mapcar (lambda (one) (gethash "name" one)) (dap--debug-session-threads (dap--cur-session))))
  (until (tegula-frame))
  (dap-disconnect (dap--cur-session))
  (until (tegula-has-ended))
"""
WRONG = """
  (tegula-launch ["scale.py" "--gird=4"])
  (until (eq (dap--debug-session-state (dap--cur-session)) 'failed))
  (tegula-note 'shown (tegula-said "*Warnings*" "Initialize request failed"))
  (tegula-note 'kept (dap--debug-session-error-message (dap--cur-session)))
"""


def play(folder, script, kernel=SCALE, name="scale.py"):
    return emacs.play(folder, kernel, emacs.configuration("DEBUGGING.md", "dap-mode") + HELP, script, name)


def test_a_session_with_a_breakpoint(tmp_path):
    found = play(tmp_path, SESSION)
    assert found["breakpoint"] == ["soft", 10] and found["line"] == 10
    assert "top: 9" in found["locals"] and found["evaluated"].splitlines()[-1].endswith("10")
    assert found["next"] == ["soft", 11] and found["out"] == ["rows", 18]
    assert found["again"] == ["soft", 10], "the condition holds in the next program, too"
    assert "a NaN is made here" in found["exception"] and found["nan"] == ["soft", 10]
    assert [line for line in found["output"].splitlines() if line.startswith("row")] == ["row 0: 0.09003057", "row 1: 0.2689414", "row 2: 1", "row 3: nan"]


def test_a_program_that_runs_long_can_be_paused(tmp_path):
    found = play(tmp_path, PAUSE, ENDLESS, "kernel.py")
    assert found["paused"][0] == "k"
    assert found["breakpoint"] == ["k", 9], "one that is set while the program runs"


def test_warps_are_threads(tmp_path):
    found = play(tmp_path, THREADS)
    assert found["breakpoint"] == ["soft", 10] and "Registers of lane 0" in found["scopes"]
    assert all(re.match(r"warp \d+: ", one) for one in found["threads"])


def test_a_wrong_word_is_shown(tmp_path):
    found = play(tmp_path, WRONG)
    assert "--gird" in found["kept"] and found["kept"] in found["shown"]
