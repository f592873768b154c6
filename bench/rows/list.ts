import { appIds } from "#dist/simulator/simulate-traffic.js";
import { makeEntries } from "../support/data/delivery-data.js";
import { type Measurement, throughputLine } from "../support/measurement.js";
import { compareWithBareServer, compareWithPeer } from "../support/reads/repeated-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill } from "../support/waybill-server.js";

/** Page sizes, with targets for the ratio of rates. */
const PAGES = [
  { size: 100, minRatio: 0.65 },
  { size: 10_000, minRatio: 0.6 },
];
/** Page size for the comparison with Fastify. */
const PEER_PAGE = 100;

/** `list`, repeating one page, compared with a bare server, and with the same service on Fastify. */
export const listRow: Row = {
  name: "list",
  measure: async (scale, directory) => {
    const [app] = appIds(1);
    await makeEntries(directory, appIds(1), Math.max(...PAGES.map(({ size }) => size)));
    const server = await startWaybill(directory);
    try {
      const readOf = (size: number) => ({
        url: `${server.messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=${size}`,
        token: server.token,
      });
      const lines: Measurement[] = [];
      for (const { size, minRatio } of PAGES) {
        const comparison = await compareWithBareServer(readOf(size), scale);
        lines.push(
          throughputLine(`list, ${size.toLocaleString("en-US")} entries, repeated`, comparison, minRatio),
        );
      }
      const withPeer = await compareWithPeer(readOf(PEER_PAGE), scale, directory);
      return [
        ...lines,
        throughputLine(`list, ${PEER_PAGE} entries, repeated, against Fastify`, withPeer, 1.2),
      ];
    } finally {
      await server.stop();
    }
  },
};
