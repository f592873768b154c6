import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CommandResult } from "./waybill-command.js";

/** Runs a program until it exits. */
export async function run(program: string, args: readonly string[], input = ""): Promise<CommandResult> {
  const child = spawn(program, args, { stdio: "pipe" });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A program that ignores its input may exit before all input is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
