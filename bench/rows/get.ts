import { throughputLine } from "../support/measurement.js";
import { compareWithBareServer } from "../support/reads/repeated-reads.js";
import type { Row } from "../support/row.js";
import { PROJECT, REGISTERED_APP, startWaybill } from "../support/waybill-server.js";

/** `get` with full authentication, compared with a bare server. */
export const getRow: Row = {
  name: "get",
  measure: async (scale, directory) => {
    const server = await startWaybill(directory);
    try {
      const url = `${server.integrityUrl}/v1/projects/${PROJECT}/apps/${REGISTERED_APP}/appAttestConfig`;
      return [throughputLine("get", await compareWithBareServer(url, server.token, scale), 0.6)];
    } finally {
      await server.stop();
    }
  },
};
