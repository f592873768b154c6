import { errorOf } from "@waybill/client/requests";
import { pageUrl } from "#console/api/console-config.js";

/**
 * Exchanges the one-time code of a demo link for an access token. @throws WaybillError if the code is not
 * valid any more.
 */
export async function redeemDemoCode(code: string): Promise<string> {
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
