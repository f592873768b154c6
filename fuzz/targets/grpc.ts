import { ok } from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from "node:http2";
import { gzipSync } from "node:zlib";
import { create, type DescMethod, toBinary } from "@bufbuild/protobuf";
import {
  GetAppAttestConfigRequestSchema,
  IntegrityService,
} from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import {
  ImportMessageEventsRequestSchema,
  ListAndroidDeliveryDataRequestSchema,
  MessagingDataService,
} from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { envelope } from "../../test/support/http/calls.js";
import { responseOf } from "../../test/support/http/http2.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkStatus, FuzzedServer } from "../support/fuzzed-server.js";
import { EVENT_LINES } from "./event-seeds.js";

/** Methods with seeds or corpus files. Corpus files contain their indexes, so that none may be moved. */
const FIRST_METHODS = {
  get: methodPath(IntegrityService.method.getAppAttestConfig),
  update: methodPath(IntegrityService.method.updateAppAttestConfig),
  batchGet: methodPath(IntegrityService.method.batchGetAppAttestConfigs),
  list: methodPath(MessagingDataService.method.listAndroidDeliveryData),
  aggregate: methodPath(MessagingDataService.method.aggregateAndroidDeliveryData),
  import: methodPath(MessagingDataService.method.importMessageEvents),
  reflection: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  health: "/grpc.health.v1.Health/Check",
  unknown: `/${IntegrityService.typeName}/None`,
} as const;
const METHODS = [
  ...new Set([
    ...Object.values(FIRST_METHODS),
    ...[IntegrityService, MessagingDataService].flatMap(({ methods }) => methods.map(methodPath)),
  ]),
];
const TYPES = [
  ...[
    "application/grpc",
    "application/grpc+proto",
    "application/grpc-web+proto",
    "application/proto",
    "application/json",
  ],
  ...["application/connect+proto", "application/connect+json", "application/grpc+json", "application/grpc;x"],
];
const CODINGS = [undefined, "identity", "gzip", "br", "lzw"];
const TIMEOUTS = [undefined, "1S", "1n", "x", "99999999H"];

/** Bytes before a call's body: method, media type, coding, timeout, cut position. */
const HEAD = 5;
/** Time limit for a call's response, in milliseconds. */
const MAX_RESPONSE_MS = 10_000;
/** gRPC codes that report a server error: UNKNOWN, INTERNAL, DATA_LOSS. */
const FAULTS = ["2", "13", "15"];

const GET = Buffer.from(
  toBinary(
    GetAppAttestConfigRequestSchema,
    create(GetAppAttestConfigRequestSchema, {
      name: "projects/test-project/apps/1:123456789012:ios:0a1b2c3d4e5f/appAttestConfig",
    }),
  ),
);
const LIST = Buffer.from(
  toBinary(
    ListAndroidDeliveryDataRequestSchema,
    create(ListAndroidDeliveryDataRequestSchema, {
      parent: "projects/test-project/androidApps/a",
      pageSize: 10,
      filter: "date > 2026-01-01",
    }),
  ),
);
const IMPORT = Buffer.from(
  toBinary(
    ImportMessageEventsRequestSchema,
    create(ImportMessageEventsRequestSchema, {
      parent: "projects/test-project",
      events: { contentType: "application/x-ndjson", data: Buffer.from(EVENT_LINES[0] ?? "") },
    }),
  ),
);

const call = (path: string, type: number, body: Uint8Array, coding = 0, timeout = 0): Buffer =>
  Buffer.concat([Buffer.of(METHODS.indexOf(path), type, coding, timeout, 0), body]);

let server: FuzzedServer;
const sessions = new Map<string, ClientHttp2Session>();

/** Any frames of gRPC, gRPC-Web and Connect get a response, without a server error. */
export const grpc: FuzzTarget = {
  name: "grpc",
  boundedInputs: 200,
  maxBytes: 16_384,
  remote: true,
  seeds: [
    ...METHODS.map((path) => call(path, 0, envelope(Buffer.alloc(0)))),
    ...[0, 1, 2].map((type) => call(FIRST_METHODS.get, type, envelope(GET))),
    call(FIRST_METHODS.get, 3, GET),
    call(FIRST_METHODS.get, 4, Buffer.from('{"name":"projects/test-project/apps/a/appAttestConfig"}')),
    call(FIRST_METHODS.update, 0, envelope(Buffer.from("0a0a0a0812020a0022020802", "hex"))),
    call(FIRST_METHODS.batchGet, 0, envelope(Buffer.from("0a1574657374", "hex"))),
    call(FIRST_METHODS.list, 0, envelope(LIST), 0, 1),
    call(FIRST_METHODS.list, 0, envelope(gzipSync(LIST), 1), 2),
    call(FIRST_METHODS.list, 0, envelope(LIST, 1), 4, 3),
    call(
      FIRST_METHODS.aggregate,
      4,
      Buffer.from('{"parent":"projects/test-project/androidApps/-","groupBy":["DATE",2]}'),
    ),
    call(FIRST_METHODS.import, 0, Buffer.concat([envelope(IMPORT), envelope(IMPORT)])),
    call(FIRST_METHODS.import, 5, Buffer.concat([envelope(IMPORT), envelope(Buffer.from("{}"), 2)])),
    call(
      FIRST_METHODS.import,
      6,
      envelope(Buffer.from('{"parent":"projects/test-project","events":{"data":"e30="}}')),
    ),
    call(
      FIRST_METHODS.reflection,
      0,
      Buffer.concat([envelope(Buffer.from("3a00", "hex")), envelope(Buffer.from("1a036c6f6c", "hex"))]),
    ),
    call(FIRST_METHODS.health, 0, envelope(Buffer.alloc(0)), 0, 2),
    call(FIRST_METHODS.unknown, 0, envelope(GET)),
    call(FIRST_METHODS.get, 0, Buffer.from([0, 255, 255, 255, 255, 1])),
    call(FIRST_METHODS.get, 0, Buffer.concat([envelope(GET), envelope(GET)])),
    call(FIRST_METHODS.get, 0, Buffer.alloc(0)),
  ],
  words: [
    ...["\0\0\0\0\0", "\x01\0\0\0\x01", "\0\0\0\0\x7f", "\x80", "\0\xff\xff\xff\xff", "\x02\0\0\0\x02{}"],
    ...["\x0a", "\x12", "\x1a"],
    ...["\x08\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x0b\x0c", "projects/test-project"],
    ...["apps/", "-", '{"', '":"'],
  ],
  async start() {
    server = await FuzzedServer.open();
  },
  async stop() {
    for (const session of sessions.values()) session.destroy();
    sessions.clear();
    await server.close();
  },
  async run(input) {
    const [method = 0, type = 0, coding = 0, timeout = 0, cut = 0] = input.subarray(0, HEAD);
    const path = METHODS[method % METHODS.length] ?? "";
    const contentType = TYPES[type % TYPES.length] ?? "";
    const connectProtocol = !contentType.startsWith("application/grpc");
    await exchange(
      {
        ":method": "POST",
        ":path": path,
        "content-type": contentType,
        te: "trailers",
        authorization: `Bearer ${server.token}`,
        [codingHeader(contentType)]: CODINGS[coding % CODINGS.length],
        [connectProtocol ? "connect-timeout-ms" : "grpc-timeout"]: TIMEOUTS[timeout % TIMEOUTS.length],
      },
      input.subarray(HEAD),
      cut,
    );
    await server.check();
  },
};

function methodPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}

function codingHeader(contentType: string): string {
  if (contentType.startsWith("application/grpc")) return "grpc-encoding";
  return contentType.startsWith("application/connect") ? "connect-content-encoding" : "content-encoding";
}

async function sessionOf(path: string): Promise<ClientHttp2Session> {
  const url = path.startsWith(`/${MessagingDataService.typeName}/`)
    ? server.messagingDataUrl
    : server.integrityUrl;
  const known = sessions.get(url);
  if (known !== undefined && !known.closed && !known.destroyed) return known;
  const session = connect(url);
  session.on("error", () => {});
  await once(session, "connect");
  sessions.set(url, session);
  return session;
}

async function exchange(headers: OutgoingHttpHeaders, body: Buffer, cut: number): Promise<void> {
  const session = await sessionOf(String(headers[":path"]));
  const stream = session.request(headers);
  const response = responseOf(stream);
  const late = setTimeout(() => session.destroy(new Error("late")), MAX_RESPONSE_MS);
  // Splits the body into two DATA frames at an arbitrary position.
  stream.write(body.subarray(0, cut));
  stream.end(body.subarray(cut));
  const { status, headers: received, trailers, bytes } = await response;
  clearTimeout(late);
  ok(!session.destroyed || status !== 0, `no response after ${MAX_RESPONSE_MS} ms`);
  checkStatus(status, bytes.toString());
  const code = String(trailers["grpc-status"] ?? received["grpc-status"] ?? "0");
  ok(!FAULTS.includes(code), `grpc-status ${code}: ${trailers["grpc-message"] ?? received["grpc-message"]}`);
}
