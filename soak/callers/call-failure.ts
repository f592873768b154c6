/** A call failed in a way that the protocol defines. Any other error of a caller means a malformed answer. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  /** Canonical code, such as `UNAVAILABLE`; `CONNECTION` if the server did not answer. */
  readonly code: string;
  /** The server's reason; empty if it did not answer. */
  readonly reason: string;

  constructor(code: string, reason: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

/** The failure of a call without an answer. */
export const connectionFailure = (cause: unknown): CallFailure =>
  new CallFailure(
    "CONNECTION",
    "",
    `no answer: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  );
