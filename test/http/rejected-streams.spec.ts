import { once } from "node:events";
import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { ImportMessageEventsRequestSchema } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { importInto } from "../support/data/import.js";
import { configOf } from "../support/data/integrity.js";
import { envelope } from "../support/http/calls.js";
import { openSession, responseOf } from "../support/http/http2.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { IOS_APP, PROJECT } from "../support/servers/project.js";
import { promptStop } from "../support/servers/prompt-stop.js";

const KIB = 1024;
/** More streams than a connection may have open at the same time. */
const REQUESTS = 300;

const test = serving
  .extend(
    "tokenOf",
    ({ editor, viewer }) =>
      (principal: Rejected["principal"]): OutgoingHttpHeaders =>
        principal === undefined
          ? {}
          : { authorization: `Bearer ${principal === "editor" ? editor : viewer}` },
  )
  /** Opens a connection that stays open until the test ends, and can hold streams that are never released. */
  .extend(
    "open",
    ({ server, onTestFinished }) =>
      async ({ service }: Rejected): Promise<ClientHttp2Session> => {
        const session = await openSession(server[service], { maxSessionMemory: 1_000 });
        onTestFinished(() => session.destroy());
        return session;
      },
  )
  /**
   * Opens a stream, sends part of its body and waits for the whole response. The body never ends. @returns the
   * outcome.
   */
  .extend(
    "sendRejected",
    ({ tokenOf }) =>
      async (session: ClientHttp2Session, rejected: Rejected): Promise<unknown> => {
        const { path, headers, body, principal } = rejected;
        const all = { ":path": path, ...headers, ...tokenOf(principal) };
        const stream = session.request(all, { endStream: false });
        stream.on("error", () => {});
        let outcome: unknown;
        for (const event of ["response", "trailers"]) {
          stream.on(event, (fields) => {
            outcome = fields["grpc-status"] ?? fields[":status"];
          });
        }
        stream.write(body);
        await once(stream.resume(), "end");
        return outcome;
      },
  );

/** A request that the server rejects before its body ends. */
interface Rejected {
  readonly service: "integrityUrl" | "messagingDataUrl";
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** The sent part of the body. */
  readonly body: Buffer;
  /** Principal of the token. Omitted for a request without a token. */
  readonly principal?: "editor" | "viewer";
  /** The HTTP status or the gRPC code. */
  readonly outcome: number | string;
}

const IMPORT_CALL = "/waybill.messagingdata.v1beta1.MessagingDataService/ImportMessageEvents";
const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const GET = "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig";
const FORM = { ":method": "POST", "content-type": "application/x-www-form-urlencoded" };
const GRPC = { ":method": "POST", "content-type": "application/grpc", te: "trailers" };
const NDJSON = { ":method": "POST", "content-type": "application/x-ndjson" };

const EVENTS = envelope(
  toBinary(
    ImportMessageEventsRequestSchema,
    create(ImportMessageEventsRequestSchema, {
      parent: `projects/${PROJECT.id}`,
      events: { contentType: "application/x-ndjson", data: Buffer.from("\n") },
    }),
  ),
);

const REJECTED: Readonly<Record<string, Rejected>> = {
  "a form of more than 64 KiB at the token endpoint": {
    service: "integrityUrl",
    path: "/oauth2/token",
    headers: FORM,
    body: Buffer.alloc(80 * KIB, "x"),
    outcome: 400,
  },
  "reflection with garbage": {
    service: "messagingDataUrl",
    path: REFLECT,
    headers: GRPC,
    body: Buffer.alloc(40 * KIB, 255),
    outcome: "8",
  },
  "an unknown path": {
    service: "messagingDataUrl",
    path: "/nothing",
    headers: NDJSON,
    body: Buffer.alloc(40 * KIB),
    outcome: 404,
  },
  "an import without a token": {
    service: "messagingDataUrl",
    path: importInto(),
    headers: NDJSON,
    body: Buffer.alloc(40 * KIB, "\n"),
    outcome: 401,
  },
  "an import of another type": {
    service: "messagingDataUrl",
    path: importInto(),
    headers: { ...NDJSON, "content-type": "text/plain" },
    body: Buffer.alloc(40 * KIB, "\n"),
    principal: "editor",
    outcome: 415,
  },
  "an import by a viewer": {
    service: "messagingDataUrl",
    path: importInto(),
    headers: NDJSON,
    body: Buffer.alloc(40 * KIB, "\n"),
    principal: "viewer",
    outcome: 403,
  },
  "a read with a body": {
    service: "integrityUrl",
    path: configOf(IOS_APP),
    headers: { ":method": "GET" },
    body: Buffer.alloc(40 * KIB),
    principal: "viewer",
    outcome: 400,
  },
  "a change of more than 1 MiB": {
    service: "integrityUrl",
    path: `${configOf(IOS_APP)}?updateMask=*`,
    headers: { ":method": "PATCH", "content-type": "application/json", "content-length": 2_000_000 },
    body: Buffer.alloc(40 * KIB, " "),
    principal: "editor",
    outcome: 413,
  },
  "a gRPC import by a viewer": {
    service: "messagingDataUrl",
    path: IMPORT_CALL,
    headers: GRPC,
    body: Buffer.concat(Array.from({ length: 300 }, () => EVENTS)),
    principal: "viewer",
    outcome: "7",
  },
  "a gRPC import of a message that is too large": {
    service: "messagingDataUrl",
    path: IMPORT_CALL,
    headers: GRPC,
    body: Buffer.concat([Buffer.from([0, 255, 255, 255, 255]), Buffer.alloc(40 * KIB)]),
    principal: "editor",
    outcome: "8",
  },
  "a unary gRPC call without a token": {
    service: "integrityUrl",
    path: GET,
    headers: GRPC,
    body: envelope(Buffer.alloc(40 * KIB)),
    outcome: "16",
  },
  "a unary gRPC call of a message that is too large": {
    service: "integrityUrl",
    path: GET,
    headers: GRPC,
    body: Buffer.concat([Buffer.from([0, 255, 255, 255, 255]), Buffer.alloc(40 * KIB)]),
    principal: "editor",
    outcome: "8",
  },
};

test.for(Object.entries(REJECTED))(
  "%s closes its stream after the request was rejected",
  async ([_name, rejected], { open, sendRejected, tokenOf }) => {
    const session = await open(rejected);
    const responses = new Set<unknown>();
    for (let sent = 0; sent < REQUESTS; sent += 50) {
      const some = Array.from({ length: 50 }, () => sendRejected(session, rejected));
      for (const response of await Promise.all(some)) responses.add(response);
    }
    expect([...responses]).toEqual([rejected.outcome]);
    const plain = session.request({
      ":path":
        rejected.service === "integrityUrl"
          ? configOf(IOS_APP)
          : `/v1beta1/projects/${PROJECT.id}/androidApps`,
      ...tokenOf("viewer"),
    });
    expect((await responseOf(plain)).status).toBe(200);
  },
);

test("rejected HTTP/2 streams do not prevent the server from stopping", async ({
  server,
  sendRejected,
  open,
}) => {
  const sessions = await Promise.all(
    Object.values(REJECTED).map(async (rejected) => {
      const session = await open(rejected);
      await Promise.all(Array.from({ length: 50 }, () => sendRejected(session, rejected)));
      return session;
    }),
  );
  expect(sessions.filter(({ closed }) => closed)).toEqual([]);
  // This test is the last one because it stops the server that all tests of this file share.
  expect(await promptStop(server)).toBe(0);
});
