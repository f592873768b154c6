import { untilLogged } from "./log.js";
import type { ServerProcess } from "./server-process.js";

/**
 * Stops a server without pending work.
 *
 * @returns its exit code.
 * @throws Error if the server waited for requests, and would have aborted them.
 */
export async function promptStop(server: ServerProcess, signal?: NodeJS.Signals): Promise<number | null> {
  server.process.stdin.write("\n");
  await untilLogged(server, "stops are patient");
  const code = await server.stop(signal);
  await untilLogged(server, "requests have an hour");
  return code;
}
