import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { allItems } from "../support/data/list-pages.js";
import { type Sent, send } from "../support/http/exchange.js";
import { failureOf, wireErrorOf } from "../support/http/grpc.js";
import { test as serving } from "../support/http/grpc-test.js";
import { EDITOR, NO_ROLE, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const AUDITOR = "auditor@example.com";
/** In random order, with numbers of different lengths, because numeric and textual order differ. */
const PROJECTS = [
  PROJECT,
  { id: "small", number: "9" },
  { id: "large", number: "999999999999999999" },
  { id: "medium", number: "1000" },
  OTHER_PROJECT,
];
const NUMBERS = ["9", "1000", PROJECT.number, OTHER_PROJECT.number, "999999999999999999"];
/** In byte order, which differs from UTF-16. */
const APPS = ["+", "1:1:android:a", "B", "a", "com.example.app", "\uff5e", "😀"];

serving.override("config", {
  projects: PROJECTS.map((project) => ({
    ...project,
    apps: project === PROJECT ? [...APPS].reverse().map((id) => ({ id })) : [],
  })),
  access: [
    { principal: EDITOR, projects: [PROJECT.id], role: "editor" },
    { principal: VIEWER, projects: [PROJECT.number, "small"], role: "viewer" },
    { principal: AUDITOR, projects: ["*"], role: "viewer" },
  ],
});
const test = serving
  .extend(
    "urlOf",
    ({ server }) =>
      ({ service }: List) =>
        service === "integrity" ? server.integrityUrl : server.messagingDataUrl,
  )
  .extend(
    "serviceOf",
    ({ integrity, messagingData }) =>
      ({ service }: List) =>
        service === "integrity" ? integrity : messagingData,
  )
  .extend(
    "get",
    ({ viewer, urlOf }) =>
      (list: List, query = "", sent: Sent = { token: viewer }) =>
        send(urlOf(list), list.target + query, sent),
  )
  .extend(
    "itemsOf",
    ({ viewer, urlOf }) =>
      (list: List, pageSize: number, token = viewer) =>
        allItems<Record<string, unknown>>(
          urlOf(list),
          `${list.target}?pageSize=${pageSize}`,
          token,
          list.field,
        ),
  );

test.beforeAll(async ({ server, editor }) => {
  const dates = ["2024-02-29", "2025-06-02"];
  const events = APPS.flatMap((app, i) =>
    dates.slice(i % 2).map((date) => accepted(app, `${date}T20:00:00Z`)),
  );
  await importEvents(server, editor, events, { appId: "%EF%BD%9E", entries: 1 });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await importEvents(server, editor, [accepted("waits", tomorrow), ...events], {
    appId: "-",
    entries: events.length,
  });
});

/** A list operation of one of the services. */
interface List {
  readonly service: "integrity" | "messagingData";
  readonly target: string;
  readonly field: string;
  /** True if the token needs the scope `platform`, for which `app-platform` is no substitute. */
  readonly needsPlatform: boolean;
}
const PROJECT_LIST: List = {
  service: "messagingData",
  target: "/v1beta1/projects",
  field: "projects",
  needsPlatform: true,
};
const ANDROID_APP_LIST: List = {
  service: "messagingData",
  target: `/v1beta1/projects/${PROJECT.id}/androidApps`,
  field: "androidApps",
  needsPlatform: true,
};
const APP_LIST: List = {
  service: "integrity",
  target: `/v1/projects/${PROJECT.id}/apps`,
  field: "apps",
  needsPlatform: false,
};
const LISTS = [PROJECT_LIST, ANDROID_APP_LIST, APP_LIST];

describe("projects that a principal may read", () => {
  test.for([
    [VIEWER, ["9", PROJECT.number]],
    [EDITOR, [PROJECT.number]],
    [AUDITOR, NUMBERS],
    [NO_ROLE, []],
  ] as const)("are listed by number: %s reads %j", async ([principal, numbers], { server, itemsOf }) => {
    const token = await server.token(principal);
    const expected = numbers.map((number) => ({
      name: `projects/${number}`,
      projectId: PROJECTS.find((project) => project.number === number)?.id,
    }));
    for (const pageSize of [0, 1, 2, 5]) {
      expect(await itemsOf(PROJECT_LIST, pageSize, token)).toEqual(expected);
    }
  });

  test("are an empty page if there are none", async ({ server, get }) => {
    const { status, text } = await get(PROJECT_LIST, "", { token: await server.token(NO_ROLE) });
    expect([status, text]).toEqual([200, "{}"]);
  });
});

describe("the Android apps of a project", () => {
  const expected = APPS.map((appId, i) => ({
    name: `projects/${PROJECT.number}/androidApps/${appId}`,
    appId,
    firstDate: i % 2 === 0 ? { year: 2024, month: 2, day: 29 } : { year: 2025, month: 6, day: 2 },
    lastDate: { year: 2025, month: 6, day: 2 },
  }));

  test.for([0, 1, 3, APPS.length, 1000])(
    "are listed in byte order of their ids in pages of %i",
    async (pageSize, { itemsOf }) => {
      expect(await itemsOf(ANDROID_APP_LIST, pageSize)).toEqual(expected);
    },
  );

  test("are the apps with data on listed days", async ({ itemsOf }) => {
    const ids = (await itemsOf(ANDROID_APP_LIST, 1000)).map(({ appId }) => appId);
    expect(ids).not.toContain("waits");
  });

  test("are an empty page if there are none", async ({ server, viewer }) => {
    const { status, text } = await send(server.messagingDataUrl, "/v1beta1/projects/9/androidApps", {
      token: viewer,
    });
    expect([status, text]).toEqual([200, "{}"]);
  });
});

describe("the registered apps of a project", () => {
  const expected = APPS.map((appId) => ({ name: `projects/${PROJECT.number}/apps/${appId}`, appId }));

  test.for([0, 1, 3, APPS.length, 1000])(
    "are listed in byte order of their ids in pages of %i",
    async (pageSize, { itemsOf }) => {
      expect(await itemsOf(APP_LIST, pageSize)).toEqual(expected);
    },
  );
});

describe.each(LISTS)("the list $target", (list) => {
  test.for<[string, (server: Server) => Promise<Sent>, (list: List) => [number, string?]]>([
    ["no token", async () => ({}), () => [401, "CREDENTIALS_MISSING"]],
    ["no valid token", async () => ({ token: "x.y.z" }), () => [401, "ACCESS_TOKEN_INVALID"]],
    [
      "the scope app-platform",
      async (server) => ({ token: await server.token(VIEWER, "app-platform") }),
      ({ needsPlatform }) => (needsPlatform ? [403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"] : [200]),
    ],
    [
      "no role",
      async (server) => ({ token: await server.token(NO_ROLE) }),
      ({ target }) => (target.includes(PROJECT.id) ? [403, "PERMISSION_MISSING"] : [200]),
    ],
    ["the viewer role", async (server) => ({ token: await server.token(VIEWER) }), () => [200]],
  ])("checks a caller with %s", async ([_, sent, expected], { server, get }) => {
    const { status, text } = await get(list, "", await sent(server));
    expect(status === 200 ? [status] : [status, errorOf(text).reason]).toEqual(expected(list));
  });

  test.for<[string, string, string]>([
    ["pageSize=-1", "INVALID_PAGE_SIZE", "pageSize"],
    ["pageToken=garbage", "PAGE_TOKEN_INVALID", "pageToken"],
    ["filter=x", "UNKNOWN_PARAMETER", "filter"],
  ])("rejects %s", async ([query, reason, field], { get }) => {
    const { status, text } = await get(list, `?${query}`);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason, fields: [field] });
  });

  test("issues page tokens for one page size, under either parameter name", async ({ get }) => {
    const { nextPageToken: token } = JSON.parse((await get(list, "?pageSize=1")).text);
    expect((await get(list, `?page_size=1&page_token=${token}`)).status).toBe(200);
    const { status, text } = await get(list, `?pageSize=2&pageToken=${token}`);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason: "PAGE_TOKEN_MISMATCH" });
  });

  test("issues page tokens that all other lists reject", async ({ get }) => {
    const { nextPageToken } = JSON.parse((await get(list, "?pageSize=1")).text);
    const deliveryData = { ...ANDROID_APP_LIST, target: listOf("-") };
    for (const other of [...LISTS, deliveryData].filter((other) => other !== list)) {
      const { status, text } = await get(other, `?pageSize=1&pageToken=${nextPageToken}`);
      expect([status, errorOf(text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
    }
    const { text } = await get(deliveryData, "?pageSize=1");
    const response = await get(list, `?pageSize=1&pageToken=${JSON.parse(text).nextPageToken}`);
    expect([response.status, errorOf(response.text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
  });

  test("returns 304 for a matching If-None-Match", async ({ viewer, get }) => {
    const { headers } = await get(list);
    expect(headers.etag).toMatch(/^"/);
    const sent = { token: viewer, headers: { "if-none-match": String(headers.etag) } };
    expect((await get(list, "", sent)).status).toBe(304);
  });
});

test("page tokens of one project's apps are rejected for another project", async ({ server, get }) => {
  const token = await server.token(AUDITOR);
  for (const list of [ANDROID_APP_LIST, APP_LIST]) {
    const { nextPageToken } = JSON.parse((await get(list, "?pageSize=1")).text);
    const other = { ...list, target: list.target.replace(PROJECT.id, OTHER_PROJECT.id) };
    const { status, text } = await get(other, `?pageSize=1&pageToken=${nextPageToken}`, { token });
    expect([status, errorOf(text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
    expect(errorOf(text).message).toContain("another parent");
  }
});

describe("gRPC", () => {
  const parent = `projects/${PROJECT.id}`;
  const METHODS = [
    ["ListProjects", PROJECT_LIST, {}],
    ["ListAndroidApps", ANDROID_APP_LIST, { parent }],
    ["ListApps", APP_LIST, { parent }],
  ] as const;

  test.for(METHODS)(
    "%s returns the same items as HTTP/JSON",
    async ([method, list, request], { viewer, itemsOf, serviceOf }) => {
      const items: unknown[] = [];
      for (let pageToken = ""; ; ) {
        const { message } = await serviceOf(list).unary<
          Record<string, unknown[]> & { nextPageToken?: string }
        >(method, { ...request, pageSize: 1, pageToken }, { token: viewer });
        expect(message[list.field]).toHaveLength(1);
        items.push(...(message[list.field] ?? []));
        if (message.nextPageToken === undefined) break;
        pageToken = message.nextPageToken;
      }
      expect(items).toEqual(await itemsOf(list, 1));
    },
  );

  test.for(METHODS)(
    "%s accepts the same callers as HTTP/JSON",
    async ([method, list, request], { server, serviceOf }) => {
      const call = (token?: string) => serviceOf(list).unary(method, request, { token });
      const none = await failureOf(call());
      expect(wireErrorOf(none)).toMatchObject({ status: "UNAUTHENTICATED", reason: "CREDENTIALS_MISSING" });
      const noRole = call(await server.token(NO_ROLE));
      if (list === PROJECT_LIST) expect((await noRole).message).toEqual({});
      else expect(wireErrorOf(await failureOf(noRole))).toMatchObject({ reason: "PERMISSION_MISSING" });
      const appScoped = call(await server.token(VIEWER, "app-platform"));
      if (!list.needsPlatform) expect((await appScoped).message).toHaveProperty(list.field);
      else {
        const { reason } = wireErrorOf(await failureOf(appScoped));
        expect(reason).toBe("ACCESS_TOKEN_SCOPE_INSUFFICIENT");
      }
    },
  );
});

describe("Connect", () => {
  test("lists projects as JSON", async ({ server, viewer, get }) => {
    const method = "/waybill.messagingdata.v1beta1.MessagingDataService/ListProjects";
    const { status, text } = await send(server.messagingDataUrl, method, {
      method: "POST",
      token: viewer,
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(JSON.parse((await get(PROJECT_LIST)).text));
  });
});
