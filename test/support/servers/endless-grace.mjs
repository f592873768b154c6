// Loaded into a server before its own program. Once its standard input has a line, requests in progress have an hour to
// finish after a stop signal: a stop that waits for one of them does not end. It logs this on standard error.
import { isMainThread } from "node:worker_threads";

/** The time of `waybill serve`, in milliseconds. */
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
