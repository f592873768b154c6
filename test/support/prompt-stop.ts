import type { Server } from "./waybill.js";

/** What a server may take that has nothing to wait for; far less than the ten seconds that requests get. */
const PROMPT = 5_000;

/** The exit code of a server that is stopped, or that it was not prompt. */
export function promptStop(server: Server, signal?: NodeJS.Signals): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, PROMPT, "still running").unref());
  return Promise.race([server.stop(signal), late]);
}
