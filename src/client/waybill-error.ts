import type { CanonicalCode } from "./canonical-code.js";

/** A field of a request that is wrong. */
export interface FieldViolation {
  /** Path of the field, such as `pageSize` or `lines[17].eventType`. */
  readonly field: string;
  /** What is wrong and what would be right. */
  readonly description: string;
}

/** What a {@link WaybillError} is made of. */
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

/** A call failed: the server said so, or could not be reached. */
export class WaybillError extends Error {
  override readonly name = "WaybillError";
  /** Canonical code, such as `NOT_FOUND`; `UNAVAILABLE` if the server could not be reached. */
  readonly code: CanonicalCode;
  /** HTTP status of the answer; undefined if there was none. */
  readonly httpStatus: number | undefined;
  /** Which failure it is, for programs, such as `PAGE_TOKEN_INVALID`; undefined if the server did not say. */
  readonly reason: string | undefined;
  /** Whose {@link reason} it is, such as `messaging-data.waybill`. */
  readonly domain: string | undefined;
  /** Whatever varies in the message. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields that are wrong, if that is the failure. */
  readonly violations: readonly FieldViolation[];
  /** What operators find the call by in their log; undefined if the answer did not say. */
  readonly requestId: string | undefined;
  /** After how many milliseconds the server wants to be asked again (`Retry-After`). */
  readonly retryAfterMs: number | undefined;
  /** Whether the call may have been carried out all the same, as when its answer was lost. */
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
