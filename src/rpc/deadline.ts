import type { ConnectError } from "@connectrpc/connect";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import type { ApiError } from "../api/api-error.js";
import type { Protocol } from "../transcoding/plugin.js";

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const CONNECT = { header: "connect-timeout-ms", parse: parseConnectTimeout };
const GRPC = { header: "grpc-timeout", parse: parseGrpcTimeout };

/** What a call says of its deadline. */
export interface Timeout {
  /** The header that says it. */
  readonly header: string;
  /** How long the call may take; undefined if there is no deadline, or none that can be read. */
  readonly milliseconds: number | undefined;
  /** What is wrong with the header, if it cannot be read. */
  readonly error: ConnectError | undefined;
}

/** Reads how long a call may take, which no limit of ours makes shorter. */
export function readTimeout(
  protocol: Protocol,
  read: (header: string) => string | null | undefined,
): Timeout {
  const { header, parse } = protocol === "connect" ? CONNECT : GRPC;
  const { timeoutMs, error } = parse(read(header) ?? null, Number.MAX_SAFE_INTEGER);
  return { header, milliseconds: timeoutMs, error };
}

/**
 * Aborts after a time.
 *
 * @param milliseconds until then; undefined for never.
 * @param reason makes the reason of the abort.
 * @returns what to call when that is not wanted any more.
 */
export function abortAfter(
  controller: AbortController,
  milliseconds: number | undefined,
  reason: () => ApiError,
): () => void {
  if (milliseconds === undefined) return () => {};
  const abort = (): void => controller.abort(reason());
  if (milliseconds <= 0) abort();
  const timer = setTimeout(abort, Math.min(milliseconds, LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
}
