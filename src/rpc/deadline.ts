import type { ConnectError } from "@connectrpc/connect";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import type { ApiError } from "../api/api-error.js";
import type { Protocol } from "../http/request-record.js";

/** Maximum delay of a timer, in milliseconds. Node.js fires timers with a longer delay immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const CONNECT = { header: "connect-timeout-ms", parse: parseConnectTimeout };
const GRPC = { header: "grpc-timeout", parse: parseGrpcTimeout };

export interface Timeout {
  readonly header: string;
  /** Time limit; `undefined` if the header is omitted or invalid. */
  readonly milliseconds: number | undefined;
  /** Set if the header is invalid. */
  readonly error: ConnectError | undefined;
}

/** Reads the time limit of a call. The server itself sets no maximum. */
export function readTimeout(
  protocol: Protocol,
  read: (header: string) => string | null | undefined,
): Timeout {
  const { header, parse } = protocol === "connect" ? CONNECT : GRPC;
  const { timeoutMs, error } = parse(read(header) ?? null, Number.MAX_SAFE_INTEGER);
  return { header, milliseconds: timeoutMs, error };
}

/**
 * Calls `abort` after a time.
 *
 * @param milliseconds the time; `undefined` for never.
 * @param reason creates the abort reason.
 * @returns a function that cancels the abort.
 */
export function abortAfter(
  controller: AbortController,
  milliseconds: number | undefined,
  reason: () => ApiError,
): () => void {
  if (milliseconds === undefined) return () => {};
  const abort = (): void => controller.abort(reason());
  if (milliseconds <= 0) abort();
  const timer = setTimeout(abort, Math.min(milliseconds, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}
