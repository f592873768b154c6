import { poll } from "../poll.js";
import type { Server } from "./server.js";

/**
 * Stops a server without pending work. A stop that waits for a request would not end. @returns its exit code.
 * @throws Error if requests would have been cut, however long the server waited.
 */
export async function promptStop(server: Server, signal?: NodeJS.Signals): Promise<number | null> {
  server.process.stdin.write("\n");
  await poll(async () => server.log(), includes("stops are patient"));
  const code = await server.stop(signal);
  await poll(async () => server.log(), includes("requests have an hour"));
  return code;
}

const includes = (text: string) => (log: string) => log.includes(text);
