import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";

const AUTOCANNON = createRequire(import.meta.url).resolve("autocannon");
const CONNECTIONS = 16;

interface Report {
  readonly duration: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
  readonly requests: { readonly total: number };
}

/**
 * Repeats a request from another process.
 * @returns responses per second.
 * @throws Error if any response is not a success.
 */
export async function requestsPerSecond(url: string, token: string, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[AUTOCANNON, "--json", "--connections", String(CONNECTIONS), "--pipelining", "1"],
    ...["--duration", String(seconds), "--headers", `authorization=Bearer ${token}`, url],
  ]);
  const { duration, errors, timeouts, non2xx, requests } = JSON.parse(stdout) as Report;
  if (errors + timeouts + non2xx > 0 || requests.total === 0) {
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} failures`);
  }
  return requests.total / duration;
}
