import { throughputLine } from "../support/measurement.js";
import { compareWithBareServer, compareWithPeer } from "../support/reads/repeated-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT, REGISTERED_APP, startWaybill } from "../support/waybill-server.js";

/** `get` with full authentication, compared with a bare server, and with the same service on Fastify. */
export const getRow: Row = {
  name: "get",
  measure: async (scale, directory) => {
    const server = await startWaybill(directory);
    try {
      const url = `${server.integrityUrl}/v1/projects/${PROJECT}/apps/${REGISTERED_APP}/appAttestConfig`;
      const read = { url, token: server.token };
      return [
        throughputLine("get", await compareWithBareServer(read, scale), 0.65),
        throughputLine("get, against Fastify", await compareWithPeer(read, scale, directory), 1.2),
      ];
    } finally {
      await server.stop();
    }
  },
};
