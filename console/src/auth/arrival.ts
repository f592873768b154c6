import type { OAuthCallback } from "./oauth.js";
import { takePendingSignIn } from "./pending-sign-in.js";

/** How somebody comes to the page. */
export type Arrival =
  | { readonly kind: "plain" }
  /** By the link that a demo prints. */
  | { readonly kind: "demo"; readonly code: string }
  /** Back from the authorization server. */
  | { readonly kind: "oauth"; readonly callback: OAuthCallback };

/**
 * Tells how somebody came to the page, and takes from its address and its history what was for signing in only. To be
 * called once, before anything else looks at the address.
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
  // Without it the answer was not asked for here.
  return pending === undefined ? { kind: "plain" } : { kind: "oauth", callback: { parameters, pending } };
}

/** A link of a demo that is followed where the console is open already changes the fragment only: begins anew with it. */
export function reloadOnArrival(): void {
  window.addEventListener("hashchange", () => {
    if (demoCodeOf(window.location.hash) !== null) window.location.reload();
  });
}

const demoCodeOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("code");
