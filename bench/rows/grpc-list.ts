import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { enveloped } from "#dist/api/encoded-response.js";
import { ListAndroidDeliveryDataRequestSchema } from "#dist/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import { makeEntries } from "../support/data/delivery-data.js";
import { compare, type Measurement, throughputLine } from "../support/measurement.js";
import { callsPerSecond, getsPerSecond, H2LOAD } from "../support/reads/h2load.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill } from "../support/waybill-server.js";

const PAGE_SIZES = [1_000, 10_000];
const METHOD = "waybill.messagingdata.v1beta1.MessagingDataService/ListAndroidDeliveryData";

/**
 * `list` over gRPC, repeating one page, compared with HTTP/JSON over HTTP/1.1. Both use the same client, written in C.
 */
export const grpcListRow: Row = {
  name: "grpc-list",
  needs: H2LOAD,
  measure: async ({ runs, seconds }, directory) => {
    const [app = ""] = appIds(1);
    await makeEntries(directory, [app], Math.max(...PAGE_SIZES));
    const { messagingDataUrl, token, stop } = await startWaybill(directory);
    const parent = `projects/${PROJECT}/androidApps/${app}`;
    try {
      const lines: Measurement[] = [];
      for (const pageSize of PAGE_SIZES) {
        const message = create(ListAndroidDeliveryDataRequestSchema, { parent, pageSize });
        const request = enveloped(toBinary(ListAndroidDeliveryDataRequestSchema, message));
        const url = `${messagingDataUrl}/v1beta1/${parent}/deliveryData?pageSize=${pageSize}`;
        const comparison = await compare(
          runs,
          () =>
            callsPerSecond(
              { url: `${messagingDataUrl}/${METHOD}`, token, seconds },
              request,
              join(directory, "request"),
            ),
          () => getsPerSecond({ url, token, seconds }),
        );
        lines.push(
          throughputLine(`list, ${pageSize.toLocaleString("en-US")} entries, by gRPC`, comparison, 1),
        );
      }
      return lines;
    } finally {
      await stop();
    }
  },
};
