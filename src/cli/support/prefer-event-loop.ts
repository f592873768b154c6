import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** How much nicer other threads are than that of the event loop. */
const NICER_BY = 5;

/**
 * Lets the thread of the event loop run before all other present threads of this process, such as those that
 * parse and merge events. On a busy machine, calls then wait less for them. Linux alone has priorities of
 * threads; elsewhere this does nothing.
 */
export function preferEventLoop(): void {
  if (process.platform !== "linux") return;
  const nice = Math.min(getPriority() + NICER_BY, constants.priority.PRIORITY_LOW);
  for (const thread of readdirSync("/proc/self/task").map(Number)) {
    if (thread === process.pid) continue;
    try {
      setPriority(thread, nice);
    } catch {
      // It has ended.
    }
  }
}
