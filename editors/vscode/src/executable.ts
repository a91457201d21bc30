import { homedir } from "node:os";

/** What is run, and where: never in the folder that is checked, or Windows would prefer a `synclint.exe` that lies there. */
export interface Executable {
  command: string;
  args: string[];
  options: { cwd: string };
}

/** Returns the command of the server; `${workspaceFolder}` is the first folder that is open. */
export function executable(command: readonly string[], folders: readonly string[]): Executable {
  const words = command.map((word) => word.replaceAll("${workspaceFolder}", folders[0] ?? homedir()));
  const [first = "synclint", ...rest] = words;
  return { command: first, args: [...rest, "server"], options: { cwd: homedir() } };
}
