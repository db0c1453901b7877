// Starts `tegula-lsp` for kernels and the text of stages.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const command = vscode.workspace.getConfiguration("tegula").get("server");
  client = new LanguageClient("tegula", "Tegula", { command }, {
    documentSelector: [{ language: "python" }, { language: "mlir" }],
  });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(`cannot start \`${command}\`: ${error.message}`);
  });
}

async function stop() {
  if (client) await client.stop().catch(() => undefined);
  client = undefined;
}

async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("tegula.restart", async () => {
    await stop();
    await start();
  }));
  await start();
}

module.exports = { activate, deactivate: stop };
