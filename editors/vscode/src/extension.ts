import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { repository } from "../package.json";
import { executable } from "./executable";

let client: LanguageClient | undefined;

const INSTALL = `pip install 'synclint[server] @ git+${repository.url}'`;

/** Starts the server, and starts it anew when its command changes. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("synclint.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("synclint.command")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const command = vscode.workspace.getConfiguration("synclint").get<string[]>("command", ["synclint"]);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const server = executable(command, folders);
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
      { scheme: "vscode-notebook-cell", language: "python" },
    ],
  };
  client = new LanguageClient("synclint", "synclint", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const message = `synclint: \`${server.command}\` did not start: ${error instanceof Error ? error.message : error}`;
    const chosen = await vscode.window.showErrorMessage(`${message}; ${INSTALL}, or set its path.`, "Settings");
    if (chosen) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "synclint.command");
    }
  }
}
