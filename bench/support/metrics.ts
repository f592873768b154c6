import { setTimeout as sleep } from "node:timers/promises";
import type { WaybillServer } from "./waybill-server.js";

/** Reads a metric without labels; NaN if the server does not have it. */
export async function metricOf({ adminUrl }: Pick<WaybillServer, "adminUrl">, name: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics) ?? [];
  return Number(value);
}

/** Resolves when no rollup was due for a second. A rollup waits for further events for a shorter time. */
export async function rolledUp(server: Pick<WaybillServer, "adminUrl">): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet++) {
    await sleep(100);
    if ((await metricOf(server, "waybill_rollup_lag_seconds")) !== 0) quiet = 0;
  }
}
