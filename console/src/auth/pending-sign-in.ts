const STORAGE_KEY = "waybill.pendingSignIn";

/** What is remembered while the viewer is at the authorization server. */
export interface PendingSignIn {
  /** Binds the answer to this tab (RFC 6749 §10.12). */
  readonly state: string;
  /** Proves that who redeems the code is who asked for it (RFC 7636). */
  readonly codeVerifier: string;
  /** The view to come back to. */
  readonly query: string;
}

/** Remembers a sign-in until the viewer is back, in this tab. */
export function keepPendingSignIn(pending: PendingSignIn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending));
}

/** The sign-in that was begun in this tab, once. */
export function takePendingSignIn(): PendingSignIn | undefined {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text === null ? undefined : (JSON.parse(text) as PendingSignIn);
  } catch {
    return undefined;
  }
}
