import { spawn } from "node:child_process";
import { once } from "node:events";
import { packagePath } from "../package-path.js";

/** The command as users run it. */
export const WAYBILL = packagePath("bin/waybill");

/** The outcome of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `waybill` to its end. */
export async function waybill(args: readonly string[], input?: string | Buffer): Promise<CommandResult> {
  // The environment of the tests may contain a token.
  const env = { ...process.env, WAYBILL_TOKEN: undefined };
  const child = spawn(process.execPath, [WAYBILL, ...args], { stdio: "pipe", env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
