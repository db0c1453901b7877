// Tensors of a program that is debugged, as heatmaps that follow it from stop to stop.
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

/** Panels with their sessions and expressions. */
const shown = new Set();

const html = () => `<!doctype html>
<html lang="en">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-tegula'; style-src 'nonce-tegula'">
<style nonce="tegula">${fs.readFileSync(path.join(__dirname, "heatmap", "page.css"))}</style>
<h1></h1>
<p id="summary"></p>
<div id="picture"><canvas tabindex="0" role="img"></canvas></div>
<p id="element" aria-live="polite"></p>
<p id="scale">least <i></i> most</p>
<ul id="legend"></ul>
<details><summary></summary><table></table></details>
<script nonce="tegula">${fs.readFileSync(path.join(__dirname, "heatmap", "page.js"))}</script>
</html>`;

/** Has the debugger evaluate what a panel shows, in the call that is looked at. */
async function refresh({ panel, session, expression }) {
  const frame = vscode.debug.activeStackItem;
  const frameId = frame?.session === session ? frame.frameId : undefined;
  try {
    panel.webview.postMessage({ expression, ...(await session.customRequest("tegula/tile", { expression, frameId })) });
  } catch (error) {
    panel.webview.postMessage({ expression, wrong: error.message });
  }
}

/** Shows a variable that was chosen in the view of variables, or an expression that is asked for. */
async function show(chosen) {
  const session = vscode.debug.activeDebugSession;
  const prompt = "An expression in the language of kernels: `acc`, `out[0, :]`, `p - top`";
  const expression = chosen?.variable ? chosen.variable.evaluateName ?? chosen.variable.name
    : await vscode.window.showInputBox({ title: "Show as a heatmap", prompt });
  if (!expression || session?.type !== "tegula") return;
  const before = [...shown].find((one) => one.session === session && one.expression === expression);
  if (before) return before.panel.reveal();
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel("tegula.heatmap", expression, place,
    { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
  const one = { panel, session, expression };
  shown.add(one);
  panel.onDidDispose(() => shown.delete(one));
  panel.webview.onDidReceiveMessage(() => refresh(one));
  panel.webview.html = html();
}

/** Draws all panels anew where a program has stopped, or another of its calls is looked at. */
function watch() {
  return [vscode.debug.onDidChangeActiveStackItem?.((frame) => {
    for (const one of shown) if (frame?.session === one.session && frame.frameId !== undefined) refresh(one);
  })].filter(Boolean);
}

module.exports = { show, watch };
