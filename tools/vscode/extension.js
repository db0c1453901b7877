// Starts `tegula-lsp` for kernels and the text of stages, and carries out the commands of its lenses.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const debug = require("./debug");
const explain = require("./explain");
const heatmap = require("./heatmap");

let client;

/** Commands of the server: a text to show until the result is there, and what uses it. */
const commands = {
  "tegula.explain": { says: "Explaining", use: explain.show },
  "tegula.debug": { says: "Preparing to debug", use: debug.start },
};

/** Shows why a command has failed: the first line, and where there are more, all in the server's channel. */
async function complain(message) {
  const [first, ...more] = message.trim().split("\n");
  const isLong = more.length > 0;
  if (isLong) client.outputChannel.appendLine(message);
  if (await vscode.window.showErrorMessage(first, ...(isLong ? ["Show all"] : []))) client.outputChannel.show();
}

/** Returns what the server answers to a command, or nothing where that fails or is cancelled. Shows progress meanwhile. */
function ask(command, target) {
  const title = `${commands[command].says} \`${target.kernel}\``;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, token) =>
    client.sendRequest("workspace/executeCommand", { command, arguments: [target] }, token).then(
      (result) => (token.isCancellationRequested ? undefined : result),
      (error) => { if (!token.isCancellationRequested) complain(error.message); }));
}

async function execute(command, target) {
  const result = await ask(command, target);
  if (result) await commands[command].use(result, target);
}

/** Returns the kernel at the cursor: the argument of the last lens for `command` above it, or of the first below. */
async function kernelAtCursor(command) {
  const editor = vscode.window.activeTextEditor;
  const all = editor ? await vscode.commands.executeCommand("vscode.executeCodeLensProvider", editor.document.uri) : [];
  const lenses = all.filter((lens) => lens.command?.command === command).sort((a, b) => a.range.start.line - b.range.start.line);
  const line = editor?.selection.active.line;
  const found = lenses.findLast((lens) => lens.range.start.line <= line) ?? lenses[0];
  if (!found) vscode.window.showInformationMessage("There is no kernel at the cursor that can be run.");
  return found?.command.arguments[0];
}

async function executeAtCursor(command) {
  const target = await kernelAtCursor(command);
  if (target) await execute(command, target);
}

function start() {
  const command = vscode.workspace.getConfiguration("tegula").get("server");
  client = new LanguageClient("tegula", "Tegula", { command }, {
    documentSelector: [{ language: "python" }, { language: "mlir" }],
    initializationOptions: { debugger: true },
    middleware: {
      executeCommand: (name, words, next) => (commands[name] ? execute(name, words[0]) : next(name, words)),
      // A page is shown in the editor when the command that makes it is done.
      window: { showDocument: (what, next) => (explain.isPage(what) ? { success: true } : next(what)) },
    },
  });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(`cannot start \`${command}\`: ${error.message ?? error}`);
  });
}

async function stop() {
  if (client) await client.stop().catch(() => undefined);
  client = undefined;
}

async function activate(context) {
  const add = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  add("tegula.explainKernel", () => executeAtCursor("tegula.explain"));
  add("tegula.debugKernel", () => executeAtCursor("tegula.debug"));
  add("tegula.showTile", heatmap.show);
  add("tegula.restart", async () => {
    await stop();
    await start();
  });
  context.subscriptions.push(...heatmap.watch(), ...debug.register(async () => {
    const target = await kernelAtCursor("tegula.debug");
    return target && debug.complete(await ask("tegula.debug", target));
  }));
  await start();
}

module.exports = { activate, deactivate: stop };
