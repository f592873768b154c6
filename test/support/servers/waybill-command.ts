import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { packagePath } from "../package-path.js";

/** The command as users run it. */
export const WAYBILL = packagePath("bin/waybill");

/** Options that start a process without root permissions. With them, file permissions apply, which root can ignore. */
export const NOBODY: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A command's outcome. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `waybill` until it exits. */
export async function waybill(
  args: readonly string[],
  input?: string | Buffer,
  options: Pick<SpawnOptions, "uid" | "gid"> = {},
): Promise<CommandResult> {
  // The test environment may contain a token.
  const env = { ...process.env, WAYBILL_TOKEN: undefined };
  const child = spawn(process.execPath, [WAYBILL, ...args], { ...options, stdio: "pipe", env });
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
