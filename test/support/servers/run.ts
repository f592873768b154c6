import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { textOf } from "../text-of.js";

/** A program's outcome. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it exits. */
export async function run(
  program: string,
  args: readonly string[],
  input: string | Buffer = "",
  options: Pick<SpawnOptions, "uid" | "gid" | "env"> = {},
): Promise<CommandResult> {
  const child = spawn(program, args, { ...options, stdio: "pipe" });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  // A program that ignores its input may exit before all input is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}
