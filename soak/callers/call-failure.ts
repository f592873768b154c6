/** A call failed in a way that the protocol defines. Any other error of a caller means a malformed response. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  /** Canonical code, such as `UNAVAILABLE`; `CONNECTION` without a response. */
  readonly code: string;
  /** The server's reason; empty without a response. */
  readonly reason: string;

  constructor(code: string, reason: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

/** A call's failure without a response. */
export const connectionFailure = (cause: unknown): CallFailure =>
  new CallFailure(
    "CONNECTION",
    "",
    `no response: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  );
