import { withResolver } from "@waybill/client/support";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { MirrorJob, RequestedRound } from "../../mirror/mirror-job.js";
import type { AppWalk } from "../../mirror/round/walk-app.js";
import { UpstreamError } from "../../mirror/upstream/upstream.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { ResponseQuery, StoredResponse } from "../../store/mirror-store.js";
import type { Listener } from "../listen/listener.js";
import { adminListener } from "./admin-listener.js";
import { mirrorRoutes } from "./mirror-routes.js";
import { ADMIN_ACCESS, ADMIN_HEADERS } from "./testing/admin-access.js";

const SUMMARY = { apps: 1, failed: 0, pages: 2, added: 0, changed: 0, unchanged: 3 };
const WALK: AppWalk = {
  appId: "a",
  pages: 2,
  days: [],
  changes: { rows: [], replaced: [], unchanged: 3 },
  problems: [],
};

/** Kept responses about app `a` of project 1, newest first. Ten of them came in the same millisecond. */
const RESPONSES: readonly StoredResponse[] = [9, 8, ...Array(10).fill(7), 6, 5].map((fetchedAt, index) => ({
  appId: "a",
  fetchedAt,
  url: `https://original/${index}`,
  body: index === 1 ? Uint8Array.of(0xff, 0) : Buffer.from(`{"n":"é${index}"}`),
}));
const responsesBefore = ({ project, appId, before = 10, skip = 0, limit }: ResponseQuery) =>
  RESPONSES.filter((response) => project === "1" && appId === "a" && response.fetchedAt < before).slice(
    skip,
    skip + limit,
  );

let listener: Listener;
let url: string;
let runNow: MirrorJob["runNow"];
beforeEach(async () => {
  runNow = async (round) => {
    round.onBegin(1);
    round.onWalked(WALK);
    round.onEnd(SUMMARY);
    return undefined;
  };
  const job = { runNow: (...call: Parameters<MirrorJob["runNow"]>) => runNow(...call) } as MirrorJob;
  listener = adminListener({
    access: ADMIN_ACCESS,
    metrics: new Registry(),
    ready: async () => {},
    routes: mirrorRoutes({
      all: [
        { project: { id: "shop", number: "1" }, job },
        { project: { id: "other", number: "2" }, job },
      ],
      responses: { readResponses: async (query) => responsesBefore(query) },
      gaps: {
        read: async function* (project) {
          if (project === "1") yield [{ appId: "a", kind: 1, since: 0 }];
        },
      },
      close: async () => {},
    }),
  });
  url = `${await listener.listen("127.0.0.1", 0)}/mirror`;
});
afterEach(() => listener.close());

const post = (query = "", init: RequestInit = {}) =>
  fetch(`${url}${query}`, { method: "POST", headers: ADMIN_HEADERS, ...init });
const linesOf = async (response: Response): Promise<unknown[]> =>
  (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

describe("POST /mirror", () => {
  it("reports each step in the rounds of all projects", async () => {
    const ofProject = (project: string, gaps: number) => [
      { project, apps: 1 },
      { project, appId: "a", pages: 2, added: 0, changed: 0, unchanged: 3 },
      { project, summary: SUMMARY, gaps },
    ];
    const response = await post();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(await linesOf(response)).toEqual([
      ...ofProject("shop", 1),
      ...ofProject("other", 0),
      { done: true },
    ]);
  });

  it("accepts a project by id or number, and an app", async () => {
    const asked: (string | undefined)[] = [];
    runNow = async (round: RequestedRound) => {
      asked.push(round.appId);
      return undefined;
    };
    for (const query of ["?project=shop", "?project=1&app=x"])
      expect(await linesOf(await post(query))).toHaveLength(2);
    expect(asked).toEqual([undefined, "x"]);
  });

  it("reports upstream failures and errors, and continues with the next project", async () => {
    const ends = [
      async () => new UpstreamError("credentials", "HTTP 403"),
      async () => {
        throw new StoreUnavailableError("no room");
      },
    ];
    runNow = () => ends.shift()?.() ?? Promise.resolve(undefined);
    expect(await linesOf(await post())).toMatchObject([
      { project: "shop", problem: "HTTP 403" },
      { project: "other", error: "no room" },
      { done: true },
    ]);
  });

  it("ends a round when its caller disconnects", async () => {
    const aborted = withResolver();
    runNow = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.resolve();
          reject(signal.reason);
        });
      });
    const controller = new AbortController();
    await post("", { signal: controller.signal });
    controller.abort();
    await aborted.promise;
  });

  test.each([
    ["of a project that is not mirrored", "?project=none", {}, 404, "PROJECT_NOT_MIRRORED"],
    ["with an unknown parameter", "?apps=a", {}, 400, "UNKNOWN_PARAMETER"],
    ["by another method", "", { method: "GET" }, 405, "METHOD_NOT_ALLOWED"],
  ])("rejects the request %s", async (_, query, init, status, reason) => {
    const response = await post(query, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { details: [{ reason }, ...(status === 400 ? [{}] : [])] },
    });
  });
});

describe("GET /mirror/responses", () => {
  const get = (query: string, init: RequestInit = {}) =>
    fetch(`${url}/responses${query}`, { headers: ADMIN_HEADERS, ...init });

  it("returns the unchanged upstream responses for an app, newest first", async () => {
    const lines = await linesOf(await get("?project=shop&app=a"));
    expect(lines).toEqual([
      ...RESPONSES.map(({ fetchedAt, url }, index) => ({
        fetchedAt: new Date(fetchedAt).toISOString(),
        url,
        ...(index === 1 ? { bodyBase64: "/wA=" } : { body: `{"n":"é${index}"}` }),
      })),
      { done: true },
    ]);
    expect(await linesOf(await get("?project=shop&app=b"))).toEqual([{ done: true }]);
  });

  test.each([
    ["of a project that is not mirrored", "?project=none&app=a", {}, 404, "PROJECT_NOT_MIRRORED"],
    ["without an app", "?project=shop", {}, 400, "PARAMETER_MISSING"],
    ["with an unknown parameter", "?project=shop&app=a&x=1", {}, 400, "UNKNOWN_PARAMETER"],
    ["by another method", "?project=shop&app=a", { method: "POST" }, 405, "METHOD_NOT_ALLOWED"],
  ])("rejects the request %s", async (_, query, init, status, reason) => {
    const response = await get(query, init);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(`"${reason}"`);
  });
});
