import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

const test = serving
  .extend(
    "get",
    ({ server, editor }) =>
      (query: string) =>
        send(server.integrityUrl, `/v1/${NAME}?${query}`, { token: editor }),
  )
  .extend(
    "list",
    ({ server, editor }) =>
      (query: string) =>
        send(server.messagingDataUrl, `${listOf(ANDROID_APP)}?${query}`, { token: editor }),
  );

test.beforeAll(async ({ server, editor }) => {
  const events = ["a", "b"].map((label) => accepted(ANDROID_APP, "2026-01-02T20:00:00Z", label));
  await importEvents(server, editor, events, { appId: ANDROID_APP, entries: 2 });
});

const NAME = `projects/${PROJECT.number}/apps/${IOS_APP}/appAttestConfig`;
const WHOLE = { name: NAME, tokenTtl: "3600s" };

describe("system parameters are accepted", () => {
  test.for([
    "alt=json",
    "%61lt=json",
    "key=anything+at%20all",
    "quotaUser=somebody",
    "uploadType=media",
    "upload_protocol=raw",
    "$.xgafv=1",
    "$.xgafv=2",
    "%24.xgafv=2",
    "prettyPrint=false",
    "fields=",
    "alt=json&key=k&quotaUser=q&uploadType=&upload_protocol=&$.xgafv=1&prettyPrint=false&fields=*",
    "",
    "&&",
  ])("%s", async (query, { get }) => {
    const { status, text } = await get(query);
    expect(status).toBe(200);
    expect(text).toBe(JSON.stringify(WHOLE));
  });
});

describe("a query with an invalid system parameter is rejected with its name", () => {
  test.for([
    ["alt=media", "alt", "INVALID_PARAMETER"],
    ["alt=JSON", "alt", "INVALID_PARAMETER"],
    ["alt=", "alt", "INVALID_PARAMETER"],
    ["$.xgafv=3", "$.xgafv", "INVALID_PARAMETER"],
    ["%24.xgafv=", "$.xgafv", "INVALID_PARAMETER"],
    ["prettyPrint=1", "prettyPrint", "INVALID_PARAMETER"],
    ["prettyPrint=", "prettyPrint", "INVALID_PARAMETER"],
    ["callback=f", "callback", "PARAMETER_NOT_ALLOWED"],
    ["access_token=SECRET", "access_token", "PARAMETER_NOT_ALLOWED"],
    ["oauth_token=SECRET", "oauth_token", "PARAMETER_NOT_ALLOWED"],
    ["key=a&key=b", "key", "DUPLICATE_PARAMETER"],
    ["fields=name&$fields=name", "$fields", "DUPLICATE_PARAMETER"],
    ["Fields=name", "Fields", "UNKNOWN_PARAMETER"],
    ["pretty_print=true", "pretty_print", "UNKNOWN_PARAMETER"],
    ["fields=nothing", "fields", "INVALID_FIELD_SELECTION"],
    ["fields=name,", "fields", "INVALID_FIELD_SELECTION"],
    ["fields=name(", "fields", "INVALID_FIELD_SELECTION"],
    ["fields=name/x", "fields", "INVALID_FIELD_SELECTION"],
    ["$fields=)", "fields", "INVALID_FIELD_SELECTION"],
  ] as const)("%s", async ([query, field, reason], { get }) => {
    const { status, text } = await get(query);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields: [field] });
    expect(text).not.toContain("SECRET");
  });
});

test("a token in the URL is neither accepted nor logged", async ({ server, editor }) => {
  const { status } = await send(server.integrityUrl, `/v1/${NAME}?access_token=${editor}`);
  expect(status).toBe(401);
  expect(server.log()).not.toContain(editor);
});

describe("the system parameter fields", () => {
  test.for([
    ["fields=name", { name: NAME }],
    ["$fields=name", { name: NAME }],
    ["%24fields=tokenTtl", { tokenTtl: "3600s" }],
    ["fields=token_ttl", { tokenTtl: "3600s" }],
    ["fields=name,tokenTtl", WHOLE],
    ["fields=name%2CtokenTtl", WHOLE],
    ["fields=*", WHOLE],
  ] as const)("selects fields of a configuration: %s", async ([query, response], { get }) => {
    expect(JSON.parse((await get(query)).text)).toEqual(response);
  });

  const date = { year: 2026, month: 1, day: 2 };
  const each = (part: (label: string) => object) => ({ androidDeliveryData: ["a", "b"].map(part) });
  test.for<[query: string, response: object]>([
    ["fields=androidDeliveryData/analyticsLabel", each((analyticsLabel) => ({ analyticsLabel }))],
    ["fields=androidDeliveryData.analyticsLabel", each((analyticsLabel) => ({ analyticsLabel }))],
    ["fields=androidDeliveryData(date,analyticsLabel)", each((analyticsLabel) => ({ date, analyticsLabel }))],
    ["fields=androidDeliveryData(date(year,day))", each(() => ({ date: { year: 2026, day: 2 } }))],
    [
      "fields=androidDeliveryData/data/countMessagesAccepted",
      each(() => ({ data: { countMessagesAccepted: "1" } })),
    ],
    ["fields=androidDeliveryData/date/*", each(() => ({ date }))],
    ["fields=nextPageToken", {}],
  ])("selects fields of a list: %s", async ([query, response], { list }) => {
    expect(JSON.parse((await list(query)).text)).toEqual(response);
  });

  test("can select only the page token", async ({ list }) => {
    const { text } = await list("pageSize=1&fields=nextPageToken");
    expect(JSON.parse(text)).toEqual({ nextPageToken: expect.stringMatching(/^[\w-]+$/) });
  });
});

test("responses are compact, unless prettyPrint=true requests indentation", async ({ get, list }) => {
  expect((await get("prettyPrint=true")).text.trimEnd()).toBe(JSON.stringify(WHOLE, null, 2));
  const pretty = (await list("prettyPrint=true")).text;
  const compact = (await list("")).text;
  expect(pretty.trimEnd()).toBe(JSON.stringify(JSON.parse(compact), null, 2));
  expect(compact).toBe(JSON.stringify(JSON.parse(compact)));
});
