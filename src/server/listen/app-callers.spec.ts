import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Caller, ofApp } from "../../api/caller.js";
import type { ServiceImplementation } from "../../api/service.js";
import { CallAuthorizer } from "../../auth/call-authorizer.js";
import { RateLimiter } from "../../auth/rate-limiter.js";
import { ScopeNames } from "../../auth/scopes.js";
import { ManualClock } from "../../auth/testing/manual-clock.js";
import { Authenticator } from "../../auth/tokens/authenticator.js";
import { ResponseShares } from "../../http/responses/response-shares.js";
import { systemClock } from "../../model/clock.js";
import { fileRegistry } from "../../registry/testing/file-registry.js";
import {
  CardSchema,
  CardService,
  type IssueCardRequest,
} from "../../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import { loggerTo } from "../operators/logger.js";
import type { Listener } from "./listener.js";
import { serviceListener } from "./service-listener.js";
import { listenerParts } from "./testing/listener-parts.js";

const PROJECT = { id: "alpha", number: "111111111111" };
const APP = "projects/alpha/apps/1:android:a";
const REQUESTS_PER_MINUTE = 4;
const APP_IDS = [
  "1:android:a",
  ...Array.from({ length: REQUESTS_PER_MINUTE + 1 }, (_, n) => `1:android:a${n}`),
];

let lines: Record<string, unknown>[];
let listener: Listener;
let url: string;

const implementation: ServiceImplementation<Caller, typeof CardService> = {
  service: CardService,
  handlers: {
    issueCard: ofApp(async ({ attestation }: IssueCardRequest, { caller, resource }) =>
      create(CardSchema, {
        holder: `${caller.project.number} ${resource.idIn("apps")} ${attestation} ${caller.budgetKey}`,
      }),
    ),
  },
};

beforeEach(async () => {
  lines = [];
  const logger = loggerTo({ write: (line) => void lines.push(JSON.parse(line)) }, "info", systemClock);
  const registry = await fileRegistry({ projects: [{ ...PROJECT, apps: APP_IDS.map((id) => ({ id })) }] });
  const clock = new ManualClock();
  const scopeNames = new ScopeNames();
  const authorizer = new CallAuthorizer([CardService], {
    authenticator: new Authenticator([], { scopeNames, clock }),
    scopeNames,
    registry,
    appLimiters: {
      network: new RateLimiter(REQUESTS_PER_MINUTE, clock),
      app: new RateLimiter(REQUESTS_PER_MINUTE, clock),
    },
  });
  listener = serviceListener({
    name: "cards",
    implementation,
    authorize: authorizer.authorize,
    shares: new ResponseShares(),
    ...listenerParts(logger),
  });
  url = await listener.listen("127.0.0.1", 0);
});
afterEach(() => listener.close());

const post = (app: string): Promise<Response> =>
  fetch(`${url}/v1/${app}:issueCard`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"attestation":"signed"}',
  });

const PROTOCOLS: [string, (baseUrl: string) => Transport][] = [
  ["gRPC", (baseUrl) => createGrpcTransport({ baseUrl })],
  ["gRPC-Web", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "2" })],
  ["Connect", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
];
const HOLDER = "111111111111 1:android:a signed 127.0.0.1";

it("an app can call its method without a token over HTTP, and the log line contains no principal", async () => {
  const response = await post(APP);
  expect([response.status, await response.json()]).toEqual([200, { holder: HOLDER }]);
  const unknown = await post("projects/beta/apps/a");
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("projects/beta")]);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines).toMatchObject([{ operation: "IssueCard", status: 200 }, { reason: "RESOURCE_NOT_FOUND" }]);
  expect(lines[0]).not.toHaveProperty("principal");
});

it.each(PROTOCOLS)("an app can call its method without a token by %s", async (_, transport) => {
  const client = createClient(CardService, transport(url));
  expect(await client.issueCard({ app: APP, attestation: "signed" })).toMatchObject({ holder: HOLDER });
  const unknown = await client.issueCard({ app: "projects/beta/apps/a" }).catch(ConnectError.from);
  expect(unknown).toMatchObject({ code: Code.NotFound });
});

it("apps in one network share a quota", async () => {
  const statuses: number[] = [];
  for (let call = 0; call <= REQUESTS_PER_MINUTE; call++) statuses.push((await post(`${APP}${call}`)).status);
  expect(statuses).toEqual([...Array(REQUESTS_PER_MINUTE).fill(200), 429]);
});
