import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Microseconds that each write to the disk takes longer. */
const DELAY = 40_000;
const CALLS = "fsync,fdatasync,pwrite64,ftruncate";

/** Whether `strace` is there, by which a disk is made slow without one that is. */
export const canSlowDisk = (): boolean => spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;

/** Makes all that a process writes to disk late, until it is told to stop. */
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
    // It lets the process go before it ends.
    this.#tracer.kill("SIGTERM");
    await exited;
  }
}
