/** What can be wrong with a token request (RFC 6749 §5.2, RFC 8693 §2.2.2). */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target";

/** A failure of the token endpoint, which has a form of its own. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;

  /** @param description what is wrong and what to do, for a person. */
  constructor(code: OAuthErrorCode, description: string, options?: ErrorOptions) {
    super(printable(description), options);
    this.code = code;
  }

  get httpStatus(): number {
    return this.code === "invalid_client" ? 401 : 400;
  }
}

/** The characters that RFC 6749 §5.2 allows in an `error_description`. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
