// Reports of `tegula explain` next to the editor.
"use strict";

const vscode = require("vscode");

/** Panels by kernel: each keeps its place when its kernel is explained again. */
const panels = new Map();

/** Runs in the page, in front of its policy: its colours follow those of the editor, not those of the system. */
function followColours() {
  const changed = [];
  const isDark = () => /^vscode-(dark|high-contrast)$/.test(document.body?.dataset.vscodeThemeKind);
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => (!query.includes("prefers-color-scheme") ? ask(query)
    : { get matches() { return isDark(); }, addEventListener: (_, call) => changed.push(call) });
  const rule = document.getElementById("tegula").sheet.cssRules[0];
  const follow = () => {
    rule.style.colorScheme = isDark() ? "dark" : "light";
    changed.forEach((call) => call());
  };
  document.addEventListener("DOMContentLoaded", () => {
    follow();
    new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-vscode-theme-kind"] });
  });
}

const prelude = `<style id="tegula">:root[data-theme=auto] { color-scheme: light dark } body { padding: 0 }</style>
<script>(${followColours})()</script>`;

/** Returns whether the server asks for a page to be shown that `show` shows. */
function isPage(what) {
  return what.external && /^file:.*\.html$/.test(what.uri);
}

/** Shows the page of a kernel. */
async function show({ page }, target) {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(page));
  const key = `${target.uri}#${target.kernel}`;
  let panel = panels.get(key);
  if (!panel) {
    panel = vscode.window.createWebviewPanel("tegula.explain", `Explain ${target.kernel}`, { viewColumn: vscode.ViewColumn.Beside },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    panels.set(key, panel);
    panel.onDidDispose(() => panels.delete(key));
  }
  panel.webview.html = Buffer.from(bytes).toString().replace(/<html[^>]*>/, (tag) => tag + prelude);
  panel.reveal();
}

module.exports = { isPage, show };
