import type { SpawnOptions } from "node:child_process";
import { packagePath } from "../package-path.js";
import { type CommandResult, run } from "./run.js";

/** The command as users run it. */
export const WAYBILL = packagePath("bin/waybill");

/** Options that start a process without root permissions. With them, file permissions apply, which root can ignore. */
export const NOBODY: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs `waybill` until it exits. */
export const waybill = (
  args: readonly string[],
  input?: string | Buffer,
  options: Pick<SpawnOptions, "uid" | "gid"> = {},
): Promise<CommandResult> =>
  // The test environment may contain a token.
  run(process.execPath, [WAYBILL, ...args], input, {
    ...options,
    env: { ...process.env, WAYBILL_TOKEN: undefined },
  });

/** Arguments of `waybill backup` for a running server. */
export const backupOf = (
  { adminUrl, dataDir }: { readonly adminUrl: string; readonly dataDir: string },
  out: string,
): string[] => ["backup", "--admin", adminUrl, "--data-dir", dataDir, "--out", out];
