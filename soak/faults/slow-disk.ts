import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Microseconds added to each write to the disk. */
const DELAY = 40_000;
const CALLS = "fsync,fdatasync,pwrite64,ftruncate";

/** Returns true if `strace` is installed, which can simulate a slow disk. */
export const canSlowDisk = (): boolean => spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;

/** Delays a process's writes to disk until it is stopped. */
export class SlowDisk {
  readonly #tracer: ChildProcess;

  constructor(pid: number) {
    const inject = `inject=${CALLS}:delay_enter=${DELAY}`;
    this.#tracer = spawn("strace", ["-f", "-qq", "-o", "/dev/null", "-e", inject, "-p", String(pid)], {
      stdio: "ignore",
    });
  }

  async stop(): Promise<void> {
    if (this.#tracer.exitCode !== null) return;
    const exited = once(this.#tracer, "exit");
    // On SIGTERM, strace detaches from the process before it exits.
    this.#tracer.kill("SIGTERM");
    await exited;
  }
}
