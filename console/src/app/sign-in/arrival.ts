import { type OAuthCallback, takePendingSignIn } from "./oauth.js";

/** The way a viewer arrived at the page. */
export type Arrival =
  | { readonly kind: "plain" }
  /** Through the link that a demo prints. */
  | { readonly kind: "demo"; readonly code: string }
  /** Back from the authorization server. */
  | { readonly kind: "oauth"; readonly callback: OAuthCallback };

/**
 * Determines how the viewer arrived, and removes sign-in data from the address and the history. Call it once,
 * before anything else reads the address.
 */
export function takeArrival(): Arrival {
  const { pathname, search, hash } = window.location;
  const code = demoCodeOf(hash);
  if (code !== null) {
    window.history.replaceState(null, "", pathname + search);
    return { kind: "demo", code };
  }
  const parameters = new URLSearchParams(search);
  if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error")))
    return { kind: "plain" };
  const pending = takePendingSignIn();
  window.history.replaceState(null, "", pathname + (pending?.query ?? ""));
  // Without a pending sign-in, this tab did not ask for the answer.
  return pending === undefined ? { kind: "plain" } : { kind: "oauth", callback: { parameters, pending } };
}

/**
 * Reloads the page when a demo link is followed in an open console, because that changes only the fragment.
 */
export function reloadOnArrival(): void {
  window.addEventListener("hashchange", () => {
    if (demoCodeOf(window.location.hash) !== null) window.location.reload();
  });
}

const demoCodeOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("code");
