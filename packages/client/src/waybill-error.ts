import type { CanonicalCode } from "./canonical-code.js";

/** An invalid field of a request. */
export interface FieldViolation {
  /** Path of the field, such as `pageSize` or `lines[17].eventType`. */
  readonly field: string;
  /** Describes the problem and the expected value. */
  readonly description: string;
}

/** Fields of a {@link WaybillError}. */
export interface WaybillErrorInit {
  readonly code: CanonicalCode;
  readonly message: string;
  readonly httpStatus?: number | undefined;
  readonly reason?: string | undefined;
  readonly domain?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly outcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * A call failed: the server returned an error (AIP-193) or was unreachable.
 *
 * @example
 * try {
 *   await client.getAppAttestConfig({ project: "shop", app: "unknown" });
 * } catch (error) {
 *   if (!(error instanceof WaybillError && error.code === "NOT_FOUND")) throw error;
 *   console.log(error.reason, error.metadata, error.requestId);
 * }
 */
export class WaybillError extends Error {
  override readonly name = "WaybillError";
  /** Canonical code, such as `NOT_FOUND`; `UNAVAILABLE` if the server could not be reached. */
  readonly code: CanonicalCode;
  /** HTTP status; undefined without a response. */
  readonly httpStatus: number | undefined;
  /** Machine-readable reason, such as `PAGE_TOKEN_INVALID`; undefined if the response has none. */
  readonly reason: string | undefined;
  /** Domain of {@link reason}, such as `messaging-data.waybill`. */
  readonly domain: string | undefined;
  /** Values that vary in the message, by name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Invalid fields of the request. */
  readonly violations: readonly FieldViolation[];
  /** Request id in the server's log; undefined if the response has none. */
  readonly requestId: string | undefined;
  /** Pause before a retry, as requested by the server (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True if the call may have succeeded despite the error, such as after a lost response. */
  readonly outcomeUnknown: boolean;

  constructor(init: WaybillErrorInit) {
    super(init.message, { cause: init.cause });
    this.code = init.code;
    this.httpStatus = init.httpStatus;
    this.reason = init.reason;
    this.domain = init.domain;
    this.metadata = init.metadata ?? {};
    this.violations = init.violations ?? [];
    this.requestId = init.requestId;
    this.retryAfterMs = init.retryAfterMs;
    this.outcomeUnknown = init.outcomeUnknown ?? false;
  }
}
