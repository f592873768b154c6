import { errorOf } from "@waybill/client/requests";
import { useEffect, useState } from "react";
import { type ConsoleConfig, pageUrl } from "#console/api/console-config.js";
import type { Arrival } from "./arrival.js";
import { useSession } from "./session.js";

/** Progress of signing in after an arrival. */
export type ArrivalState =
  | { readonly kind: "done" }
  | { readonly kind: "under way" }
  | { readonly kind: "failed"; readonly problem: string };

/** Codes work only once: redeems each arrival once, however often the page renders. */
const redemptions = new WeakMap<Arrival, Promise<string>>();

/** Signs in with the code that the viewer arrived with, if any. */
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
  if (oauth === undefined) throw new Error("this console is not set up for OAuth 2.0");
  const { finishSignIn } = await import("./oauth.js");
  return finishSignIn(oauth, arrival.callback);
}

/**
 * Exchanges the one-time code of a demo link for an access token. @throws WaybillError if the code is not
 * valid any more.
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
