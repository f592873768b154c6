import { appIds } from "#dist/simulator/simulate-traffic.js";
import { makeEntries } from "../support/data/delivery-data.js";
import { type Measurement, throughputLine } from "../support/measurement.js";
import { compareWithBareServer } from "../support/reads/repeated-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill } from "../support/waybill-server.js";

const PAGE_SIZES = [100, 10_000];

/** `list`, repeating one page, compared with a bare server. */
export const listRow: Row = {
  name: "list",
  measure: async (scale, directory) => {
    const [app] = appIds(1);
    await makeEntries(directory, appIds(1), Math.max(...PAGE_SIZES));
    const server = await startWaybill(directory);
    try {
      const lines: Measurement[] = [];
      for (const size of PAGE_SIZES) {
        const url = `${server.messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=${size}`;
        const comparison = await compareWithBareServer(url, server.token, scale);
        lines.push(
          throughputLine(`list, ${size.toLocaleString("en-US")} entries, repeated`, comparison, 0.6),
        );
      }
      return lines;
    } finally {
      await server.stop();
    }
  },
};
