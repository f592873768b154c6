const STORAGE_KEY = "waybill.pendingSignIn";

/** State kept while the viewer is at the authorization server. */
export interface PendingSignIn {
  /** Binds the answer to this tab (RFC 6749 §10.12). */
  readonly state: string;
  /** Proves that the client redeeming the code is the one that asked for it (RFC 7636). */
  readonly codeVerifier: string;
  /** Query of the view to return to. */
  readonly query: string;
}

/** Stores a sign-in in this tab until the viewer returns. */
export function keepPendingSignIn(pending: PendingSignIn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending));
}

/** Returns the sign-in that this tab began, and forgets it. */
export function takePendingSignIn(): PendingSignIn | undefined {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text === null ? undefined : (JSON.parse(text) as PendingSignIn);
  } catch {
    return undefined;
  }
}
