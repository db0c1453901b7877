// The debugger: `tegula dap`, and launches that the language server proposes.
"use strict";

const { execFile } = require("child_process");
const path = require("path");
const vscode = require("vscode");
const words = require("./words");

/** Lines of words that were edited, by the words that had been proposed. */
const edited = new Map();

/** Returns the command that debugs: what is set, else the one next to the server. */
function executable() {
  const settings = vscode.workspace.getConfiguration("tegula");
  const command = settings.get("command"), server = settings.get("server");
  return command === "tegula" && path.isAbsolute(server) ? path.join(path.dirname(server), command) : command;
}

/** Describes the adapter, and says where it cannot be started, of which the editor itself says nothing. */
function adapter() {
  const command = executable();
  execFile(command, ["--version"], (error) => {
    if (error) vscode.window.showErrorMessage(`cannot start \`${command} dap\`: ${error.message}`);
  });
  return new vscode.DebugAdapterExecutable(command, ["dap"]);
}

/** Returns a proposed launch with what was guessed as the user corrects it; nothing where that is left off. */
async function complete(proposed) {
  if (!proposed) return undefined;
  const { guessed = [], ...launch } = proposed;
  if (!guessed.length) return launch;
  const key = JSON.stringify(launch.args);
  const value = edited.get(key) ?? words.join(launch.args);
  const at = value.indexOf(`${guessed[0]}=`) + guessed[0].length + 1;
  const line = await vscode.window.showInputBox({
    title: launch.name,
    prompt: `Guessed: ${guessed.join(", ")}. These are the words of \`tegula debug\``,
    value,
    valueSelection: [at, at + value.slice(at).search(/\s|$/)],
    ignoreFocusOut: true,
    validateInput: (text) => (words.split(text) ? undefined : "a quote is not closed"),
  });
  if (line === undefined) return undefined;
  edited.set(key, line);
  return { ...launch, args: words.split(line) };
}

/** Starts what the server proposes. */
async function start(proposed, target) {
  const launch = await complete(proposed);
  if (launch) await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(target.uri)), launch);
}

/** Registers the debugger; `propose` returns the launch of the kernel at the cursor, for where none is written down. */
function register(propose) {
  return [
    vscode.debug.registerDebugAdapterDescriptorFactory("tegula", { createDebugAdapterDescriptor: adapter }),
    vscode.debug.registerDebugConfigurationProvider("tegula", {
      resolveDebugConfiguration: (_, launch) => (launch.type || launch.request || launch.name ? launch : propose()),
    }),
  ];
}

module.exports = { complete, register, start };
