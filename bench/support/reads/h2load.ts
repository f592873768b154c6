import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Program } from "../row.js";

const CONNECTIONS = 16;
/** Exponent of 2 for flow-control windows of 8 MiB, which gRPC clients open for large responses. */
const WINDOW_BITS = 23;

/** The measuring client, of nghttp2. */
export const H2LOAD: Program = {
  command: "h2load",
  install: "install Debian's package nghttp2-client, or your system's of nghttp2",
};

/** The request to repeat. */
export interface Load {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
}

/** Measures responses per second to GET over HTTP/1.1. @throws Error if any response is not a success. */
export function getsPerSecond({ url, token, seconds }: Load): Promise<number> {
  return run(["--h1", ...common(token, seconds), url]);
}

/**
 * Measures responses per second over gRPC.
 *
 * @param request the enveloped request message.
 * @param file file in which the message is passed to the client.
 * @throws Error as {@link getsPerSecond}.
 */
export async function callsPerSecond(
  { url, token, seconds }: Load,
  request: Uint8Array,
  file: string,
): Promise<number> {
  await writeFile(file, request);
  const windows = ["-w", String(WINDOW_BITS), "-W", String(WINDOW_BITS)];
  const headers = ["-H", "content-type: application/grpc", "-H", "te: trailers"];
  return run([...windows, ...headers, "-d", file, ...common(token, seconds), url]);
}

const common = (token: string, seconds: number): string[] => [
  ...["-D", String(seconds), "--warm-up-time=1", "-c", String(CONNECTIONS), "-m", "1"],
  ...["-H", `authorization: Bearer ${token}`],
];

async function run(args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(H2LOAD.command, args);
  const [, perSecond] = /finished in .*?, ([\d.]+) req\/s/.exec(stdout) ?? [];
  const [, succeeded] = /(\d+) succeeded/.exec(stdout) ?? [];
  if (
    !/ 0 failed, 0 errored, 0 timeout/.test(stdout) ||
    !/ 0 3xx, 0 4xx, 0 5xx/.test(stdout) ||
    succeeded === "0"
  ) {
    throw new Error(`h2load ${args.at(-1)}: not all requests succeeded\n${stdout}`);
  }
  return Number(perSecond);
}
