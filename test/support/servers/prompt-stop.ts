import type { Server } from "./server.js";

/** Time limit for stopping a server without pending work, in milliseconds; requests may take ten seconds. */
const PROMPT = 5_000;

/** Stops a server. @returns its exit code, or a text if it was not prompt. */
export function promptStop(server: Server, signal?: NodeJS.Signals): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, PROMPT, "still running").unref());
  return Promise.race([server.stop(signal), late]);
}
