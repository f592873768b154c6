import { createReadStream } from "node:fs";
import { WaybillClient } from "@waybill/client";
import { PROJECT, type WaybillServer } from "../waybill-server.js";

/** Imports a file of events; returns the milliseconds until all of them are acknowledged. */
export async function timeOfImport(server: WaybillServer, events: string): Promise<number> {
  const start = performance.now();
  await new WaybillClient(server).importEvents({
    project: PROJECT,
    events: createReadStream(events, { highWaterMark: 1024 * 1024 }),
  });
  return performance.now() - start;
}
