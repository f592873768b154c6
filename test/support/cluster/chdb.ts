import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { packagePath } from "../package-path.js";
import { temporaryDirectory } from "../temporary-directory.js";

/** The current engine in a separate process. */
export interface Chdb {
  readonly url: string;
  dispose(): Promise<void>;
}

/** Starts the current engine, which the test command has installed, with no data. */
export async function startChdb(): Promise<Chdb> {
  const { path, remove } = await temporaryDirectory();
  // With `faketime`, the engine would busy-wait and not proceed.
  const env = { ...process.env, LD_PRELOAD: undefined };
  const child = spawn(
    process.execPath,
    [packagePath("test/support/cluster/chdb-server.mjs"), join(path, "data")],
    { env, stdio: ["pipe", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const [port] = await Promise.race([once(lines, "line"), exited]);
  if (!/^\d+$/.test(String(port))) throw new Error("chdb did not start");
  const report = (code: number | null, signal: string | null): void =>
    console.error(`chdb ended too early: ${signal ?? code}`);
  child.once("exit", report);
  const dispose = async (): Promise<void> => {
    child.off("exit", report);
    child.kill("SIGKILL");
    await exited;
    await remove();
  };
  return { url: `http://127.0.0.1:${port}`, dispose };
}
