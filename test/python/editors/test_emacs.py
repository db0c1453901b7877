"""The language server in Emacs, by eglot and by lsp-mode, with the configurations that EDITORS.md shows."""

import emacs
import pytest

KERNEL = """import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, vlaue)
"""
#: The kernel when the name is mended and a variable has another name.
MENDED = KERNEL.replace("vlaue", "value").replace("offsets", "places")

#: Parts of a script that both packages have in common. Flymake shows messages of both, xref finds places.
SEE_DIAGNOSTIC = """
  (until (flymake-diagnostics))
  (tegula-note 'diagnostics (mapcar (lambda (one) (vector (flymake-diagnostic-beg one) (flymake-diagnostic-end one) (flymake-diagnostic-text one)))
                                    (flymake-diagnostics)))
"""
FIND_PLACES = """
  (tegula-go "offsets < n" 2)
  (xref-find-definitions (xref-backend-identifier-at-point (xref-find-backend)))
  (tegula-note 'definition (buffer-substring-no-properties (point) (line-end-position)))
  (xref-pop-marker-stack)
  (tegula-note 'back (buffer-substring-no-properties (point) (+ 5 (point))))
  (tegula-note 'references
    (sort (mapcar (lambda (one) (xref-location-line (xref-item-location one)))
                  (xref-backend-references (xref-find-backend) (xref-backend-identifier-at-point (xref-find-backend)))) #'<))
"""
#: Completes `tl.arang`; lsp-mode offers `static_range`, too.
TYPE_AND_COMPLETE = """
  (tegula-go "tl.arange" 8)
  (delete-char 1)
  (completion-at-point)
  (when (get-buffer-window "*Completions*")
    (with-selected-window (get-buffer-window "*Completions*") (tegula-go "arange") (choose-completion)))
  (until (save-excursion (tegula-go "tl.arang") (looking-at-p "tl\\\\.arange(0")))
"""
EGLOT = f"""
{SEE_DIAGNOSTIC}
  (tegula-go "offsets = ")
  (eldoc t)
  (until-noted 'hover (and (buffer-live-p eldoc--doc-buffer) (with-current-buffer eldoc--doc-buffer (and (string-match-p "int32" (buffer-string)) (tegula-text)))))
{FIND_PLACES}
{TYPE_AND_COMPLETE}
  (tegula-go "vlaue")
  (let ((last-nonmenu-event ?a) ; not of a mouse
        (completing-read-function (lambda (_ titles &rest _) (tegula-note 'titles (mapcar #'car titles)) (caar titles))))
    (call-interactively #'eglot-code-actions))
  (until (null (flymake-diagnostics)))
  (tegula-go "offsets = ")
  (eglot-rename "places")
  (tegula-note 'text (tegula-text))
"""
LSP_MODE = f"""
  (until (bound-and-true-p flymake-mode))
{SEE_DIAGNOSTIC}
  (tegula-go "offsets = ")
  (lsp-describe-thing-at-point)
  (tegula-note 'hover (with-current-buffer "*lsp-help*" (tegula-text)))
{FIND_PLACES}
{TYPE_AND_COMPLETE}
  (tegula-go "vlaue")
  (let ((actions (lsp-code-actions-at-point)))
    (tegula-note 'titles (mapcar #'lsp:code-action-title actions))
    (lsp-execute-code-action (car actions)))
  (until (null (flymake-diagnostics)))
  (tegula-go "offsets = ")
  (lsp-rename "places")
  (tegula-note 'text (tegula-text))
  ; There are lenses where nothing is wrong.
  (until-noted 'lenses (mapcar (lambda (one) (substring-no-properties (overlay-get one 'after-string))) lsp-lens--overlays))
"""


def check(found):
    """What both packages show of KERNEL, and what they make of it."""
    [[begin, end, message]] = found["diagnostics"]
    assert KERNEL[begin - 1:end - 1] == "vlaue" and "name `vlaue` is not defined" in message and "did you mean `value`?" in message
    assert "offsets: int32[1024]" in found["hover"]
    assert found["definition"] == "offsets = tl.arange(0, BLOCK)" and found["back"] == "fsets"
    assert found["references"] == [7, 8, 8, 9]
    assert found["titles"][0].startswith("write `value`")
    assert found["text"] == MENDED


@emacs.needs("eglot")
def test_eglot_shows_what_is_wrong_and_mends_it(tmp_path):
    check(emacs.play(tmp_path, KERNEL, emacs.configuration("EDITORS.md", "eglot"), EGLOT))


@emacs.needs("lsp-mode")
def test_lsp_mode_shows_what_is_wrong_and_mends_it(tmp_path):
    # A user is asked once for the folder of a project.
    folder = f'(with-eval-after-load \'lsp-mode (lsp-workspace-folders-add "{tmp_path}"))\n'
    found = emacs.play(tmp_path, KERNEL, folder + emacs.configuration("EDITORS.md", "lsp-mode"), LSP_MODE)
    check(found)
    assert any("sm_90a" in lens for lens in found["lenses"])
