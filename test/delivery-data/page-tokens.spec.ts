import { randomBytes } from "node:crypto";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { PageTokenCodec } from "../../src/paging/page-token-codec.js";
import { accepted, entryName, listOf, type Page } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const LABELS = ["a", "b", "c", "d", "e"];
const TARGET = `${listOf(ANDROID_APP)}?pageSize=2`;
const DAY_MS = 86_400_000;
/** Page token key of the server with the default mode. */
const KEY = randomBytes(32);

/** A server with data, and an access token for the server. */
class Subject {
  readonly server: Server;
  readonly token: string;

  constructor(server: Server, token: string) {
    this.server = server;
    this.token = token;
  }

  static async seeded(server: Server): Promise<Subject> {
    const token = await server.token(EDITOR);
    const events = LABELS.map((label) => accepted(ANDROID_APP, "2026-01-02T20:00:00Z", label));
    await importEvents(server, token, events, { appId: ANDROID_APP, entries: LABELS.length });
    return new Subject(server, token);
  }

  get(target: string): Promise<HttpResponse> {
    return send(this.server.messagingDataUrl, target, { token: this.token });
  }

  async firstToken(): Promise<string> {
    const { nextPageToken = "" } = JSON.parse((await this.get(TARGET)).text) as Page;
    expect(nextPageToken).toMatch(/^[\w-]+$/);
    return nextPageToken;
  }

  async labelsAt(pageToken: string, target = TARGET): Promise<string[]> {
    const { androidDeliveryData = [] } = JSON.parse(
      (await this.get(`${target}&pageToken=${pageToken}`)).text,
    );
    return androidDeliveryData.map(entryName).map((name: string) => name.slice(11));
  }
}

function expectRejection({ status, text }: HttpResponse, reason: string): void {
  expect(status).toBe(400);
  expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields: ["pageToken"] });
}

const test = serving
  .override("config", { ...BASE_CONFIG, pageTokens: { key: KEY.toString("base64") } })
  .extend("strict", { scope: "file" }, ({ server }) => Subject.seeded(server))
  .extend("lenient", { scope: "file" }, async ({ openSharedServer }) =>
    Subject.seeded(await openSharedServer({ ...BASE_CONFIG, pageTokens: { mode: "lenient" } })),
  )
  .extend("pageToken", { scope: "file" }, ({ strict }) => strict.firstToken());

const codec = new PageTokenCodec(KEY);
const position = (pageSize = 2) => ({
  operation: "ListAndroidDeliveryData",
  parent: `projects/${PROJECT.number}/androidApps/${ANDROID_APP}`,
  pageSize,
  after: JSON.stringify([Math.floor(Date.UTC(2026, 0, 2) / DAY_MS), "b"]),
});

describe("a page token is rejected as invalid", () => {
  test.for([
    ["a word", "x"],
    ["digits", "1"],
    ["base64 of other data", randomBytes(80).toString("base64url")],
    ["a JWT", "eyJhbGciOiJub25lIn0.e30."],
    ["spaces", "%20"],
    ["a NUL", "%00"],
    ["not ASCII", "%F0%9F%93%A6"],
    ["10 KB", "A".repeat(10_000)],
  ] as const)("if it is %s", async ([_case, text], { strict }) => {
    expectRejection(await strict.get(`${TARGET}&pageToken=${text}`), "PAGE_TOKEN_INVALID");
  });

  test("if any character was changed", async ({ strict, pageToken }) => {
    const variants = [...pageToken].flatMap((character, at) =>
      ["A", "B", "-", "_", "+", "="]
        .filter((other) => other !== character)
        .map((other) => pageToken.slice(0, at) + encodeURIComponent(other) + pageToken.slice(at + 1)),
    );
    for (const variant of variants) {
      const response = await strict.get(`${TARGET}&pageToken=${variant}`);
      expect(response.status, variant).toBe(400);
      expect(errorOf(response.text).reason).toBe("PAGE_TOKEN_INVALID");
    }
  });

  test("if characters were removed or added", async ({ strict, pageToken }) => {
    for (let length = 1; length < pageToken.length; length++) {
      const response = await strict.get(`${TARGET}&pageToken=${pageToken.slice(0, length)}`);
      expectRejection(response, "PAGE_TOKEN_INVALID");
    }
    for (const more of ["A", "AAAA", "=", "%0A", "%20", "."]) {
      expectRejection(await strict.get(`${TARGET}&pageToken=${pageToken}${more}`), "PAGE_TOKEN_INVALID");
    }
  });

  test("if it comes from a server with another key", async ({ strict, lenient }) => {
    const token = await lenient.firstToken();
    expectRejection(await strict.get(`${TARGET}&pageToken=${token}`), "PAGE_TOKEN_INVALID");
  });

  test("if it is older than three days", async ({ strict }) => {
    const agedBy = (days: number) => codec.encode(position(), Date.now() - days * DAY_MS);
    expect(await strict.labelsAt(agedBy(0))).toEqual(["c", "d"]);
    expect(await strict.labelsAt(agedBy(2.9))).toEqual(["c", "d"]);
    expectRejection(await strict.get(`${TARGET}&pageToken=${agedBy(4)}`), "PAGE_TOKEN_INVALID");
  });
});

describe("a page token", () => {
  test.for([
    ["another page size", `${listOf(ANDROID_APP)}?pageSize=3`, "pageSize"],
    ["no page size", `${listOf(ANDROID_APP)}?key=`, "pageSize"],
    ["another app", `${listOf("another.app")}?pageSize=2`, "parent"],
    ["another app, another page size", `${listOf("another.app")}?pageSize=3`, "parent"],
  ] as const)("is rejected with %s", async ([_case, target, parameter], { strict, pageToken }) => {
    const response = await strict.get(`${target}&pageToken=${pageToken}`);
    expectRejection(response, "PAGE_TOKEN_MISMATCH");
    expect(errorOf(response.text).message).toContain(parameter);
  });

  test.for([
    ["the project's number for its id", `${listOf(ANDROID_APP, PROJECT.number)}?pageSize=2`, 2],
    ["an app in percent-encoding", `${listOf(encodeURIComponent(ANDROID_APP))}?pageSize=2`, 2],
    ["another spelling of the parameter", `${listOf(ANDROID_APP)}?page_size=2`, 2],
    ["other system parameters", `${TARGET}&key=x&quotaUser=y`, 2],
    ["1,000 for no page size", `${listOf(ANDROID_APP)}?pageSize=1000`, 1_000],
    ["no page size for 1,000", `${listOf(ANDROID_APP)}?key=`, 1_000],
    ["more than 10,000 for 10,000", `${listOf(ANDROID_APP)}?pageSize=20000`, 10_000],
  ] as const)("is accepted with %s", async ([_case, target, pageSize], { strict }) => {
    const token = codec.encode(position(pageSize), Date.now());
    expect((await strict.labelsAt(token, target)).slice(0, 2)).toEqual(["c", "d"]);
  });

  test("is accepted with another page size if this is configured", async ({ lenient }) => {
    const token = await lenient.firstToken();
    expect(await lenient.labelsAt(token, `${listOf(ANDROID_APP)}?key=`)).toEqual(["c", "d", "e"]);
    expect(await lenient.labelsAt(token, `${listOf(ANDROID_APP)}?pageSize=1`)).toEqual(["c"]);
    const other = await lenient.get(`${listOf("another.app")}?pageSize=2&pageToken=${token}`);
    expectRejection(other, "PAGE_TOKEN_MISMATCH");
  });
});

test("a page token does not grant access", async ({ strict, pageToken, noRole }) => {
  const { messagingDataUrl } = strict.server;
  const target = `${TARGET}&pageToken=${pageToken}`;
  expect((await send(messagingDataUrl, target)).status).toBe(401);
  expect((await send(messagingDataUrl, target, { token: noRole })).status).toBe(403);
});

test("a page token is still valid after a restart of the server", async ({ startServer }) => {
  const first = await Subject.seeded(await startServer(BASE_CONFIG));
  const token = await first.firstToken();
  await first.server.stop();
  const second = new Subject(await startServer(BASE_CONFIG), first.token);
  expect(await second.labelsAt(token)).toEqual(["c", "d"]);
});

test("servers with the same key accept each other's page tokens", async ({
  config,
  strict,
  pageToken,
  openServer,
}) => {
  const other = await Subject.seeded(await openServer(config));
  expect(await other.labelsAt(pageToken)).toEqual(["c", "d"]);
  expect(await strict.labelsAt(await other.firstToken())).toEqual(["c", "d"]);
});
