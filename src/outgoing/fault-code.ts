/** Returns the code of why a request failed: the message of an error may quote the address. */
export function faultCode(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  return String((Object(cause) as { code?: unknown }).code ?? code ?? name);
}
