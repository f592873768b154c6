// Loaded into a server before its own program. After a line on standard input, a stop waits for requests in progress
// for an hour, so that a stop that depends on the grace period does not end. It logs this on standard error.
import { isMainThread } from "node:worker_threads";

/** Default grace period of `waybill serve`, in milliseconds. */
const GRACE = 10_000;
const HOUR = 3_600_000;

if (isMainThread) {
  process.stdin.once("data", () => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, delay, ...given) => {
      if (delay === GRACE) process.stderr.write("requests have an hour\n");
      return setTimeout(work, delay === GRACE ? HOUR : delay, ...given);
    };
    process.stderr.write("stops are patient\n");
  });
}
