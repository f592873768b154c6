import { type IncomingMessage, request } from "node:http";
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { enveloped } from "../../../src/api/encoded-response.js";
import { ListAndroidDeliveryDataRequestSchema } from "../../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { WIDE_APP, WIDE_ENTRIES, widePage } from "../data/wide-pages.js";
import { PROJECT } from "../servers/project.js";

/** A call with a response that stays unread until {@link read} is called. */
export interface UnreadCall {
  /** HTTP status and gRPC status; empty until the response begins. */
  readonly status: () => string;
  /** Reads the response to the end. @returns its size in bytes. */
  read(): Promise<number>;
}

/** Calls for distinct pages over one protocol. Their responses are not read. */
export interface UnreadCalls {
  call(number: number): UnreadCall;
  close(): void;
}

const METHOD = "/waybill.messagingdata.v1beta1.MessagingDataService/ListAndroidDeliveryData";

/** Opens a connection for each call. */
export function byHttp1(url: string, token: string): UnreadCalls {
  const open = new Set<ReturnType<typeof request>>();
  return {
    call: (number) => {
      const headers = { authorization: `Bearer ${token}` };
      const { hostname: host, port } = new URL(url);
      const sent = request({ host, port, path: widePage(number), headers, agent: false });
      open.add(sent);
      let status = "";
      const begun = new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
      sent.once("response", ({ statusCode }) => {
        status = String(statusCode);
      });
      sent.on("error", () => {});
      sent.end();
      return {
        status: () => status,
        read: async () => Buffer.concat(await (await begun).toArray()).length,
      };
    },
    close: () => {
      for (const sent of open) sent.destroy();
    },
  };
}

/** Opens a stream for each call, all on one connection. */
export function byHttp2(url: string, token: string): UnreadCalls {
  return streams(url, token, (number) => ({ headers: { ":path": widePage(number) } }));
}

/** Opens a gRPC or gRPC-Web stream for each call, all on one connection. */
export const byGrpc =
  (type: "application/grpc" | "application/grpc-web+proto") =>
  (url: string, token: string): UnreadCalls =>
    streams(url, token, (number) => {
      const parent = `projects/${PROJECT.id}/androidApps/${WIDE_APP}`;
      const message = create(ListAndroidDeliveryDataRequestSchema, {
        parent,
        pageSize: WIDE_ENTRIES - number,
      });
      return {
        headers: { ":method": "POST", ":path": METHOD, "content-type": type },
        body: enveloped(toBinary(ListAndroidDeliveryDataRequestSchema, message)),
      };
    });

function streams(
  url: string,
  token: string,
  requestOf: (number: number) => { headers: OutgoingHttpHeaders; body?: Buffer },
): UnreadCalls {
  const session: ClientHttp2Session = connect(url);
  session.on("error", () => {});
  return {
    call: (number) => {
      const { headers, body } = requestOf(number);
      const stream = session.request(
        { authorization: `Bearer ${token}`, ...headers },
        { endStream: body === undefined },
      );
      let status = "";
      stream.on("response", (given) => {
        status = [given[":status"], given["grpc-status"] ?? []].flat().join(" ");
      });
      stream.on("error", () => {});
      if (body !== undefined) stream.end(body);
      return {
        status: () => status,
        read: async () => {
          let bytes = 0;
          stream.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          });
          if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve));
          return bytes;
        },
      };
    },
    close: () => session.destroy(),
  };
}
