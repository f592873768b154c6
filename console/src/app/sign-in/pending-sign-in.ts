// Not in oauth.ts, because each visit needs this module, and only sign-ins need the OAuth library.

const STORAGE_KEY = "waybill.pendingSignIn";

/** State kept while the viewer signs in at the authorization server. */
export interface PendingSignIn {
  /** Binds the response to this tab (RFC 6749 §10.12). */
  readonly state: string;
  /** Proves that the same client requested and redeems the code (RFC 7636). */
  readonly codeVerifier: string;
  /** View to return to, as a URL query. */
  readonly query: string;
}

/** The authorization response, with its pending sign-in. */
export interface OAuthCallback {
  readonly parameters: URLSearchParams;
  readonly pending: PendingSignIn;
}

/** Stores a sign-in in this tab until the viewer returns. */
export function keepPendingSignIn(pending: PendingSignIn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending));
}

/** Returns and deletes the pending sign-in of this tab. */
export function takePendingSignIn(): PendingSignIn | undefined {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text === null ? undefined : (JSON.parse(text) as PendingSignIn);
  } catch {
    return undefined;
  }
}
