import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT, type WaybillServer } from "../waybill-server.js";

const INTERVAL_MS = 50;
const PATIENCE_MS = 300_000;

/**
 * Waits until the number of listed messages is as expected.
 *
 * @param label counts only messages with this label.
 * @throws Error after five minutes.
 */
export async function acceptedListed(
  { messagingDataUrl, token }: Pick<WaybillServer, "messagingDataUrl" | "token">,
  isExpected: (accepted: number) => boolean,
  label?: string,
): Promise<void> {
  const filter = label === undefined ? "" : `?filter=${encodeURIComponent(`analyticsLabel = "${label}"`)}`;
  const url = `${messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/-/deliveryData:aggregate${filter}`;
  const deadline = performance.now() + PATIENCE_MS;
  for (let accepted = 0; performance.now() < deadline; await sleep(INTERVAL_MS)) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
    const { groups = [] } = JSON.parse(text) as {
      groups?: { counts?: { countMessagesAccepted?: string } }[];
    };
    accepted = groups.reduce((sum, { counts }) => sum + Number(counts?.countMessagesAccepted ?? 0), 0);
    if (isExpected(accepted)) return;
  }
  throw new Error("the messages are not listed after five minutes");
}
