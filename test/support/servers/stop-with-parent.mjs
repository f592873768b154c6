// Loaded into a server before its own program. Stops the server when the process that started it ends, even by
// SIGKILL: the other end of the standard input then closes.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.stdin.on("close", () => process.kill(process.pid, "SIGKILL"));
  process.stdin.resume();
  // The server must still end when it has nothing left to do.
  process.stdin.unref();
}
