import { once } from "node:events";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { enveloped } from "#dist/api/encoded-response.js";
import { ListAndroidDeliveryDataRequestSchema } from "#dist/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { keepDoing, runAttack } from "../../support/reads/attack.js";
import { REGISTERED_APP } from "../../support/waybill-server.js";

const LENGTHS = [4_000, 20_000, 3_000_000];
const PARAMETER = "x".repeat(1_000_000);
/** Far above the size of any expected error. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Calls with names that are far too long: project names over gRPC, and parameter names in a form. */
runAttack(async ({ integrityUrl, messagingDataUrl, project, token, seconds }) => {
  const session = connect(messagingDataUrl, { settings: { maxHeaderListSize: 16 * 2 ** 20 } });
  session.on("error", () => {});
  const messages = LENGTHS.map((length) => {
    const parent = `projects/${"x".repeat(length)}/androidApps/app`;
    return enveloped(
      toBinary(
        ListAndroidDeliveryDataRequestSchema,
        create(ListAndroidDeliveryDataRequestSchema, { parent }),
      ),
    );
  });
  let largest = 0;
  let cut = 0;
  const config = `${integrityUrl}/v1/projects/${project}/apps/${REGISTERED_APP}/appAttestConfig`;
  const count = await keepDoing({ seconds, perSecond: 8, atOnce: 8 }, async (index) => {
    const message = messages[index % (messages.length + 1)];
    const size =
      message === undefined
        ? sizeOfFormResponse(config, token)
        : sizeOfCallResponse(session, token, message).catch(() => {
            cut++;
            return 0;
          });
    largest = Math.max(largest, await size);
  });
  return {
    did: `${count} calls with long names`,
    checks: [
      {
        what: "largest response to a name that is too long",
        figure: `${largest.toLocaleString("en-US")} bytes${cut > 0 ? `, ${cut} cut off` : ""}`,
        target: "≤ 16 KiB",
        isMet: largest <= MAX_RESPONSE_BYTES && cut === 0,
      },
    ],
  };
});

async function sizeOfFormResponse(url: string, token: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-www-form-urlencoded",
      "x-http-method-override": "GET",
    },
    body: `${PARAMETER}=1`,
  });
  return (await response.arrayBuffer()).byteLength;
}

async function sizeOfCallResponse(
  session: ClientHttp2Session,
  token: string,
  message: Buffer,
): Promise<number> {
  const stream = session.request({
    ":method": "POST",
    ":path": "/waybill.messagingdata.v1beta1.MessagingDataService/ListAndroidDeliveryData",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  let size = 0;
  const count = (headers: IncomingHttpHeaders): void => {
    for (const [name, value] of Object.entries(headers)) size += name.length + String(value).length;
  };
  stream.on("response", count).on("trailers", count).resume().end(message);
  await once(stream, "close");
  if (size === 0) throw new Error("no response");
  return size;
}
