import { errorOf } from "@waybill/client/requests";
import { useEffect, useState } from "react";
import { type ConsoleConfig, pageUrl } from "#console/api/console-config.js";
import { type OAuthCallback, takePendingSignIn } from "./pending-sign-in.js";
import { useSession } from "./session.js";

/** How the viewer opened the page. */
export type Arrival =
  | { readonly kind: "plain" }
  /** With the link that the demo prints. */
  | { readonly kind: "demo"; readonly code: string }
  /** Back from the authorization server. */
  | { readonly kind: "oauth"; readonly callback: OAuthCallback };

/**
 * Returns how the viewer opened the page, and removes sign-in data from the URL and the history. Call it once,
 * before other code reads the URL.
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
  // Without a pending sign-in, this tab did not send the request (RFC 6749 §10.12).
  return pending === undefined ? { kind: "plain" } : { kind: "oauth", callback: { parameters, pending } };
}

/**
 * Reloads the page when the viewer follows a demo link in an open console, because only the fragment changes.
 */
export function reloadOnArrival(): void {
  window.addEventListener("hashchange", () => {
    if (demoCodeOf(window.location.hash) !== null) window.location.reload();
  });
}

const demoCodeOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("code");

export type ArrivalState =
  | { readonly kind: "done" }
  | { readonly kind: "under way" }
  | { readonly kind: "failed"; readonly problem: string };

/** A code works only once, but React may run an effect twice. */
const redemptions = new WeakMap<Arrival, Promise<string>>();

/** Signs in with the code in the URL, if there is one. */
export function useArrival(arrival: Arrival, config: ConsoleConfig): ArrivalState {
  const { signIn } = useSession();
  const [state, setState] = useState<ArrivalState>({ kind: arrival.kind === "plain" ? "done" : "under way" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the arrival does not depend on the session
  useEffect(() => {
    if (arrival.kind === "plain") return;
    const redeeming = redemptions.get(arrival) ?? redeem(arrival, config);
    redemptions.set(arrival, redeeming);
    redeeming.then(
      (token) => {
        signIn(token);
        setState({ kind: "done" });
      },
      (error: Error) => setState({ kind: "failed", problem: error.message }),
    );
  }, [arrival, config]);
  return state;
}

async function redeem(
  arrival: Exclude<Arrival, { kind: "plain" }>,
  { oauth }: ConsoleConfig,
): Promise<string> {
  if (arrival.kind === "demo") return redeemDemoCode(arrival.code);
  if (oauth === undefined) throw new Error("OAuth 2.0 is not configured for this console");
  const { finishSignIn } = await import("./oauth.js");
  return finishSignIn(oauth, arrival.callback);
}

/**
 * Exchanges the one-time code of a demo link for an access token. @throws WaybillError if the code is no longer
 * valid.
 */
async function redeemDemoCode(code: string): Promise<string> {
  const response = await fetch(new URL("demo-session", pageUrl()), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
    credentials: "omit",
  });
  const text = await response.text();
  if (!response.ok) {
    const { status, headers } = response;
    throw errorOf({ status, headers, text }, { origin: window.location.origin, service: "Waybill" });
  }
  return (JSON.parse(text) as { accessToken: string }).accessToken;
}
