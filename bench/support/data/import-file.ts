import { WaybillClient, type WaybillClientOptions } from "@waybill/client";
import { chunksOf } from "#dist/cli/import/import-file.js";
import { fetchByUndici } from "#dist/cli/support/fetch-by-undici.js";
import { PROJECT } from "../waybill-server.js";

/** Imports a file of events like `waybill import`. Returns the milliseconds until all of them are acknowledged. */
export async function timeOfImport(server: WaybillClientOptions, events: string): Promise<number> {
  const start = performance.now();
  const client = new WaybillClient({ ...server, fetch: fetchByUndici });
  await client.importEvents({ project: PROJECT, events: chunksOf(events) });
  return performance.now() - start;
}
