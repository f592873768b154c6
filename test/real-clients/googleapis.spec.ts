import { describe, expect } from "vitest";
import { entryName, listOf, type Page } from "../support/data/delivery-data.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { send } from "../support/http/exchange.js";
import { type ServerStarter, test as serving } from "../support/servers/fixtures.js";
import { googleClient } from "../support/servers/google-client.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
} from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const NAME = `projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

interface Seeded extends Server {
  readonly editorToken: string;
}

const test = serving
  .extend("strict", { scope: "file" }, ({ openSharedServer }) => seeded(openSharedServer, "strict"))
  .extend("lenient", { scope: "file" }, ({ openSharedServer }) => seeded(openSharedServer, "lenient"));

async function seeded(openServer: ServerStarter, pageTokens: string): Promise<Seeded> {
  const server = await openServer({ ...BASE_CONFIG, pageTokens: { mode: pageTokens } });
  const editorToken = await server.token(EDITOR);
  await importEntries(server, editorToken);
  return { ...server, editorToken };
}

const clientOf = (server: Seeded, token = server.editorToken) => googleClient(server, token);

const names = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));

test("the googleapis client gets a configuration", async ({ strict }) => {
  const { get } = clientOf(strict);
  const { status, data } = await get({ name: NAME });
  expect(status).toBe(200);
  expect(data).toEqual({ name: NAME.replace(PROJECT.id, PROJECT.number), tokenTtl: "3600s" });
  expect((await get({ name: NAME, fields: "tokenTtl" })).data).toEqual({ tokenTtl: "3600s" });
});

test("the googleapis client lists delivery data", async ({ strict }) => {
  const { list } = clientOf(strict);
  const { data } = await list({ parent: PARENT });
  expect(names([data])).toEqual(ENTRIES);
  const [, entry] = data.androidDeliveryData ?? [];
  expect(entry).toMatchObject({
    appId: ANDROID_APP,
    date: { year: 2026, month: 1, day: 2 },
    analyticsLabel: "a",
    data: { countMessagesAccepted: "1" },
  });
  const partial = await list({ parent: PARENT, fields: "androidDeliveryData/analyticsLabel", pageSize: 2 });
  expect(partial.data).toEqual({ androidDeliveryData: [{}, { analyticsLabel: "a" }] });
});

describe("the googleapis client reads all pages", () => {
  test("sending the page size with each call", async ({ strict }) => {
    const { list } = clientOf(strict);
    const pages: Page[] = [];
    for (let pageToken: string | undefined; ; ) {
      const { data } = await list({ parent: PARENT, pageSize: 5, pageToken });
      pages.push(data);
      pageToken = data.nextPageToken;
      if (pageToken === undefined) break;
    }
    expect(pages.map((page) => names([page]).length)).toEqual([5, 5, 2]);
    expect(names(pages)).toEqual(ENTRIES);
  });

  test("sending the page size with the first call only, if the server is lenient", async ({ lenient }) => {
    const { list } = clientOf(lenient);
    const first = await list({ parent: PARENT, pageSize: 5 });
    const rest = await list({ parent: PARENT, pageToken: first.data.nextPageToken });
    expect(names([first.data, rest.data])).toEqual(ENTRIES);
    expect(rest.data.nextPageToken).toBeUndefined();
  });

  test("unless it changes the page size at a server that is not lenient", async ({ strict }) => {
    const { list } = clientOf(strict);
    const first = await list({ parent: PARENT, pageSize: 5 });
    const failure = await failureOf(list({ parent: PARENT, pageToken: first.data.nextPageToken }));
    expect(failure).toMatchObject({ status: 400, reason: "PAGE_TOKEN_MISMATCH" });
  });
});

/** The failure as the client reports it to an application. */
async function failureOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: unknown) => error as ClientError,
  );
  const { error } = failure.response.data;
  const [{ reason } = { reason: "" }] = error.details;
  return { status: failure.status, code: Number(failure.code), message: failure.message, error, reason };
}

interface ClientError extends Error {
  readonly status: number;
  readonly code: number | string;
  readonly response: {
    readonly data: {
      readonly error: { readonly message: string; readonly details: readonly { readonly reason: string }[] };
    };
  };
}

describe("the googleapis client throws the server's error for", () => {
  type Client = ReturnType<typeof clientOf>;
  test.for<
    [name: string, call: (client: Client) => Promise<unknown>, code: number, status: string, reason: string]
  >([
    [
      "an unknown app",
      ({ get }) => get({ name: NAME.replace(IOS_APP, "missing") }),
      404,
      "NOT_FOUND",
      "RESOURCE_NOT_FOUND",
    ],
    [
      "a project without access",
      ({ list }) => list({ parent: PARENT.replace(PROJECT.id, OTHER_PROJECT.id) }),
      403,
      "PERMISSION_DENIED",
      "PERMISSION_MISSING",
    ],
    [
      "a bad page size",
      ({ list }) => list({ parent: PARENT, pageSize: -1 }),
      400,
      "INVALID_ARGUMENT",
      "INVALID_PAGE_SIZE",
    ],
    [
      "a bad page token",
      ({ list }) => list({ parent: PARENT, pageToken: "x" }),
      400,
      "INVALID_ARGUMENT",
      "PAGE_TOKEN_INVALID",
    ],
    [
      "an unknown parameter",
      ({ list }) => list({ parent: PARENT, pagesize: 1 }),
      400,
      "INVALID_ARGUMENT",
      "UNKNOWN_PARAMETER",
    ],
  ])("%s", async ([_name, call, code, status, reason], { strict }) => {
    const failure = await failureOf(call(clientOf(strict)));
    expect(failure).toMatchObject({ status: code, code, error: { code, status }, reason });
    expect(failure.message).toContain(failure.error.message);
  });

  test("bad credentials", async ({ strict }) => {
    const { get } = clientOf(strict, "not a token");
    const failure = await failureOf(get({ name: NAME }));
    expect(failure).toMatchObject({ status: 401, reason: "ACCESS_TOKEN_INVALID" });
  });
});

test("the googleapis client gets the same data as any other client", async ({ strict }) => {
  const { list } = clientOf(strict);
  const { text } = await send(strict.messagingDataUrl, listOf(ANDROID_APP), { token: strict.editorToken });
  expect((await list({ parent: PARENT })).data).toEqual(JSON.parse(text));
});
