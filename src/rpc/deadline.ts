import type { ConnectError } from "@connectrpc/connect";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import type { ApiError } from "../api/api-error.js";
import type { Protocol } from "../http/request-record.js";

/** Longest delay of a timer, in milliseconds; Node fires a longer one at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const CONNECT = { header: "connect-timeout-ms", parse: parseConnectTimeout };
const GRPC = { header: "grpc-timeout", parse: parseGrpcTimeout };

/** The deadline of a call. */
export interface Timeout {
  /** Name of the header that sets it. */
  readonly header: string;
  /** Time that the call may take; `undefined` without a deadline, or with an invalid one. */
  readonly milliseconds: number | undefined;
  /** The error in an invalid header. */
  readonly error: ConnectError | undefined;
}

/** Reads the time that a call may take. The server sets no upper limit. */
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
 * @param milliseconds the time; `undefined` for never.
 * @param reason creates the reason of the abort.
 * @returns cancels the abort.
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
