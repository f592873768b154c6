import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Length of a clock tick in milliseconds: Linux has 100 a second on all common machines (`man 5 proc_pid_stat`). */
const TICK_MS = 10;
/** Positions of `utime` and `stime` after the command name. */
const [USER_TIME, SYSTEM_TIME] = [11, 12];

/** Processor time of all threads of a process since its start, in milliseconds. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The command name can contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]));
}

/** Resolves when a process has used less than 50 ms of processor time in a second. */
export async function untilIdle(pid: number): Promise<void> {
  for (let used = Number.POSITIVE_INFINITY; used >= 50; ) {
    const before = processorTimeOf(pid);
    await sleep(1_000);
    used = processorTimeOf(pid) - before;
  }
}
