/** Error codes of token requests (RFC 6749 §5.2, RFC 8693 §2.2.2). */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target";

/** An error of the token endpoint, which has its own error format. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;

  /** @param description The problem and its remedy, for a person. */
  constructor(code: OAuthErrorCode, description: string, options?: ErrorOptions) {
    super(printable(description), options);
    this.code = code;
  }

  get httpStatus(): number {
    return this.code === "invalid_client" ? 401 : 400;
  }
}

/** Replaces the characters that RFC 6749 §5.2 forbids in an `error_description`. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
