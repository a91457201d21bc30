// The extension as it is built, with stand-ins for the editor and its client, that talk to the real server.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const { mkdtempSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { homedir, tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");
const { pathToFileURL } = require("node:url");
const rpc = require("vscode-jsonrpc/node");

const SYNCLINT = process.env.SYNCLINT ?? "synclint";
const HAZARD = "import torch\ndef train(loader):\n    for batch in loader:\n        loss = torch.ones(1, device='cuda')\n        loss.item()\n";

/** Loads the extension in an editor with some settings; returns what it asked the editor for. */
function load(command, folders, refuses = false) {
  const seen = { clients: [], errors: [], commands: new Map(), stopped: 0, changed: [] };
  const vscode = {
    commands: { registerCommand: (name, call) => seen.commands.set(name, call), executeCommand: async () => undefined },
    window: { showErrorMessage: async (message) => void seen.errors.push(message) },
    workspace: {
      getConfiguration: () => ({ get: () => command }),
      onDidChangeConfiguration: (call) => seen.changed.push(call),
      workspaceFolders: folders.map((fsPath) => ({ uri: { fsPath } })),
    },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      seen.clients.push({ server, options });
    }
    async start() {
      if (refuses) throw new Error("no such command");
    }
    async stop() {
      seen.stopped += 1;
    }
  }
  const stands = { vscode, "vscode-languageclient/node": { LanguageClient } };
  const original = Module._load;
  Module._load = (name, ...rest) => stands[name] ?? original(name, ...rest);
  try {
    const path = require.resolve("../build/extension.js");
    delete require.cache[path];
    return { extension: require(path), seen };
  } finally {
    Module._load = original;
  }
}

test("the folder that is open is put into the command, and is not where it runs", async () => {
  const { extension, seen } = load(["${workspaceFolder}/.venv/bin/synclint", "-v"], ["/work", "/other"]);
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(seen.clients[0].server, {
    command: "/work/.venv/bin/synclint",
    args: ["-v", "server"],
    options: { cwd: homedir() },
  });
});

test("a changed command starts the server anew, other settings do not", async () => {
  const { extension, seen } = load(["synclint"], []);
  await extension.activate({ subscriptions: [] });
  await seen.changed[0]({ affectsConfiguration: () => false });
  assert.strictEqual(seen.clients.length, 1);
  await seen.changed[0]({ affectsConfiguration: (name) => name === "synclint.command" });
  assert.deepStrictEqual([seen.clients.length, seen.stopped], [2, 1]);
  await extension.deactivate();
  assert.strictEqual(seen.stopped, 2);
});

test("a server that does not start is told with what to do", async () => {
  const { extension, seen } = load(["gone"], [], true);
  await extension.activate({ subscriptions: [] });
  assert.match(seen.errors[0], /`gone` did not start: no such command; pip install 'synclint\[server\] @ git\+https:\/\//);
  await extension.deactivate();
  assert.strictEqual(seen.stopped, 0);
});

/** Starts the server that the extension has chosen; returns the connection, and the process. */
function talk(t, { command, args, options }) {
  const child = spawn(command, args, options);
  t.after(() => child.kill());
  const wire = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  wire.listen();
  return { wire, child };
}

test("the server finds what waits in a cell of a notebook that it asks the editor for", { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "synclint-"));
  const notebook = pathToFileURL(join(folder, "train.ipynb")).href;
  const cell = notebook.replace("file:", "vscode-notebook-cell:") + "#W0sZmlsZQ==";
  const { extension, seen } = load([SYNCLINT], [folder]);
  await extension.activate({ subscriptions: [] });
  const { server, options } = seen.clients[0];
  assert.ok(options.documentSelector.some((each) => each.scheme === "vscode-notebook-cell" && each.language === "python"));

  const { wire } = talk(t, server);
  const published = new Promise((resolve) => wire.onNotification("textDocument/publishDiagnostics", resolve));
  const { capabilities } = await wire.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: { notebookDocument: { synchronization: {} } },
  });
  assert.deepStrictEqual(capabilities.notebookDocumentSync.notebookSelector, [{ notebook: "jupyter-notebook" }]);
  await wire.sendNotification("initialized", {});
  await wire.sendNotification("notebookDocument/didOpen", {
    notebookDocument: { uri: notebook, notebookType: "jupyter-notebook", version: 1, cells: [{ kind: 2, document: cell }] },
    cellTextDocuments: [{ uri: cell, languageId: "python", version: 1, text: HAZARD }],
  });
  const { uri, diagnostics } = await published;
  assert.strictEqual(uri, cell);
  assert.deepStrictEqual(diagnostics.map((each) => [each.range.start.line, each.code]), [[4, "SYNC101"]]);
  await wire.sendRequest("shutdown");
  await wire.sendNotification("exit");
  wire.dispose();
});

test("the server finds what waits in a file of the kind that the extension selects", { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "synclint-"));
  writeFileSync(join(folder, "train.py"), HAZARD);
  const uri = pathToFileURL(join(folder, "train.py")).href;
  const { extension, seen } = load([SYNCLINT], [folder]);
  await extension.activate({ subscriptions: [] });
  const { server, options } = seen.clients[0];
  assert.ok(options.documentSelector.some((each) => each.scheme === "file" && each.language === "python"));

  const { wire, child } = talk(t, server);
  const published = new Promise((resolve) => wire.onNotification("textDocument/publishDiagnostics", resolve));
  await wire.sendRequest("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} });
  await wire.sendNotification("initialized", {});
  await wire.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "python", version: 1, text: HAZARD },
  });
  const { diagnostics } = await published;
  assert.deepStrictEqual(diagnostics.map((each) => [each.range.start.line, each.code]), [[4, "SYNC101"]]);
  await wire.sendRequest("shutdown");
  await wire.sendNotification("exit");
  assert.strictEqual(await new Promise((resolve) => child.on("exit", resolve)), 0);
  wire.dispose();
});
