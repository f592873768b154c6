import { Code as ConnectCode, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterEach, beforeEach, expect, it, onTestFinished, test, vi } from "vitest";
import type { Caller } from "../../api/caller.js";
import type { Authorize, Handler, ServiceImplementation } from "../../api/service.js";
import { errorOf } from "../../api/testing/error-of.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { IntegrityService } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { ResponseShares } from "../../http/responses/response-shares.js";
import { limitWait } from "../../limits/limit-wait.js";
import { MAX_UNREAD_BYTES, MAX_WAIT_MS } from "../../limits/request-limits.js";
import { silentLogger } from "../operators/testing/silent-logger.js";
import type { Listener } from "./listener.js";
import { serviceListener } from "./service-listener.js";
import { listenerParts } from "./testing/listener-parts.js";

const NAME = "projects/1/apps/a/appAttestConfig";
const CALLER = projectCaller();

let shares: ResponseShares;
let listener: Listener;
let url: string;
let authorize: Authorize<Caller>;
let handle: AnyHandler;

type AnyHandler = Handler<(typeof IntegrityService.methods)[number], Caller>;

/** Each call waits for a slot. */
const waits: AnyHandler = async (_, context) => {
  await context.waitForSlot();
  throw new Error("the slot was free");
};

beforeEach(async () => {
  authorize = () => () => CALLER;
  handle = waits;
  shares = new ResponseShares({ waitMs: 1 });
  const handler: AnyHandler = (...call) => handle(...call);
  const names = IntegrityService.methods.map(({ localName }) => [localName, handler]);
  listener = serviceListener({
    name: "integrity",
    implementation: {
      service: IntegrityService,
      handlers: Object.fromEntries(names),
    } as unknown as ServiceImplementation<Caller>,
    authorize: (...call) => authorize(...call),
    shares,
    ...listenerParts(silentLogger),
  });
  url = await listener.listen("127.0.0.1", 0);
});
afterEach(() => listener.close());

const PROTOCOLS: [string, (baseUrl: string) => Transport][] = [
  ["gRPC", (baseUrl) => createGrpcTransport({ baseUrl })],
  ["gRPC, compressed", (baseUrl) => createGrpcTransport({ baseUrl, compressMinBytes: 0 })],
  ["gRPC-Web", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" })],
  ["Connect", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
];

/** Uses all slots that the principal may use. */
const takeOwnSlots = () => Promise.all([1, 2].map(() => shares.slots.take(CALLER.principal.id)));

test.each(PROTOCOLS)(
  "a call that gets no slot in time receives 503 and Retry-After: %s",
  async (_, transport) => {
    const slots = await takeOwnSlots();
    const client = createClient(IntegrityService, transport(url));
    const error = await client.getAppAttestConfig({ name: NAME }).catch(ConnectError.from);
    expect(error).toMatchObject({ code: ConnectCode.Unavailable });
    expect((error as ConnectError).metadata.get("retry-after")).toBe("1");
    for (const release of slots) release();
  },
);

it.each<[string, block: () => void, reason: string]>([
  ["as others of its principal keep them", () => void takeOwnSlots(), "RESPONSE_QUEUE_FULL"],
  [
    "as its principal reads no responses",
    () => void shares.hold(CALLER.principal.id, Buffer.alloc(MAX_UNREAD_BYTES - 1_000_000)),
    "RESPONSE_BACKLOG_EXCEEDED",
  ],
])("a call over HTTP that gets no slot in time is rejected: %s", async (_, block, reason) => {
  block();
  const response = await fetch(`${url}/v1/${NAME}`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(errorOf(await response.text())).toMatchObject({ status: "UNAVAILABLE", reason });
});

it.each<[string, call: () => Promise<unknown>]>([
  ["HTTP", async () => errorOf(await (await fetch(`${url}/v1/${NAME}`)).text()).status],
  [
    "gRPC",
    () =>
      createClient(IntegrityService, createGrpcTransport({ baseUrl: url }))
        .getAppAttestConfig({ name: NAME })
        .catch((error: unknown) => ConnectCode[ConnectError.from(error).code]?.toUpperCase()),
  ],
])("a call's time for authorization counts as waiting time: %s", async (_, call) => {
  handle = async (_, { signal }) => {
    limitWait(() => {}, signal);
    throw new Error("the call waits");
  };
  const begun = performance.now();
  const now = vi.spyOn(performance, "now").mockReturnValue(begun);
  onTestFinished(() => now.mockRestore());
  authorize = async () => {
    await new Promise(setImmediate);
    // One more, since floating-point sums are not exact.
    now.mockReturnValue(begun + MAX_WAIT_MS + 1);
    return () => CALLER;
  };
  expect(await call()).toBe("UNAVAILABLE");
});
