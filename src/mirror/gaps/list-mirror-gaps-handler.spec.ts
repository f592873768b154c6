import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import {
  ListAndroidMirrorGapsRequestSchema,
  ListAndroidMirrorGapsResponseSchema,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { parseDay } from "../../model/day.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { listMirrorGapsHandler } from "./list-mirror-gaps-handler.js";
import { byPlace, type MirrorGap } from "./mirror-gap.js";

const since = Date.parse("2026-11-20T08:00:00Z");
const day = (text: string): number => parseDay(text) ?? Number.NaN;

const GAPS: readonly MirrorGap[] = [
  { appId: "B", kind: Kind.MISSING_DATE, day: day("2026-11-14"), expireDay: day("2026-11-21"), since },
  { appId: "a", kind: Kind.MISSING_DATE, day: day("2026-11-15"), expireDay: day("2026-11-22"), since },
  { appId: "a", kind: Kind.MISSING_DATE, day: day("2026-11-14"), expireDay: day("2026-11-21"), since },
  { appId: "a", kind: Kind.CREDENTIALS_REJECTED, since, problem: "HTTP 403: no" },
  { appId: "b", kind: Kind.NO_RECENT_DATA, day: day("2026-11-13"), since },
];

interface Query {
  readonly parent?: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
}

function handlerOf(asked: unknown[] = []) {
  const handle = listMirrorGapsHandler({
    gaps: {
      read: async function* (project, { appId, after } = {}) {
        asked.push([project, appId]);
        yield GAPS.filter((gap) => after === undefined || byPlace(gap, after) > 0);
      },
    },
    tokens: new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => 0 }),
  });
  return async ({ parent = "projects/p/androidApps/-", ...query }: Query = {}) => {
    const request = create(ListAndroidMirrorGapsRequestSchema, { parent, ...query });
    const context = callContext(projectCaller({ number: "123" }), { resource: resourceName(parent) });
    return toJson(ListAndroidMirrorGapsResponseSchema, await handle(request, context));
  };
}

const list = handlerOf();

describe("listMirrorGapsHandler", () => {
  it("returns all fields in the contract", async () => {
    const { gaps = [], nextPageToken } = await list();
    expect(nextPageToken).toBeUndefined();
    expect([gaps[0], gaps[3], gaps[4]]).toEqual([
      {
        appId: "B",
        kind: "MISSING_DATE",
        date: { year: 2026, month: 11, day: 14 },
        expireDate: { year: 2026, month: 11, day: 21 },
        startTime: "2026-11-20T08:00:00Z",
      },
      {
        appId: "a",
        kind: "CREDENTIALS_REJECTED",
        startTime: "2026-11-20T08:00:00Z",
        problem: "HTTP 403: no",
      },
      {
        appId: "b",
        kind: "NO_RECENT_DATA",
        date: { year: 2026, month: 11, day: 13 },
        startTime: "2026-11-20T08:00:00Z",
      },
    ]);
  });

  test.each([
    ["projects/p/androidApps/-", ["123", undefined]],
    ["projects/p/androidApps/a", ["123", "a"]],
  ])("reads only the gaps of %s", async (parent, expected) => {
    const asked: unknown[] = [];
    await handlerOf(asked)({ parent });
    expect(asked).toEqual([expected]);
  });

  test.each([1, 2, 3, 5, 6])("returns the same gaps for the page size %i", async (pageSize) => {
    const found: unknown[] = [];
    let pageToken: string | undefined = "";
    while (pageToken !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list({ pageSize, pageToken });
      expect(page.gaps?.length).toBeLessThanOrEqual(pageSize);
      found.push(...(page.gaps ?? []));
      pageToken = page.nextPageToken;
    }
    expect(found).toEqual((await list()).gaps);
  });

  it("rejects page tokens of other lists, and returns nothing for invalid app ids", async () => {
    const { nextPageToken = "" } = await list({ pageSize: 1 });
    for (const query of [
      { pageSize: 2, pageToken: nextPageToken },
      { pageSize: 1, pageToken: nextPageToken, parent: "projects/p/androidApps/a" },
    ]) {
      const error: unknown = await list(query).catch((error: unknown) => error);
      expect(error instanceof ApiError && error.reason).toBe("PAGE_TOKEN_MISMATCH");
    }
    expect(await list({ parent: "projects/p/androidApps/a\u0000" })).toEqual({});
  });
});

test("byPlace sorts gaps by app, kind and day, newest first", () => {
  expect([...GAPS].reverse().sort(byPlace)).toEqual(GAPS);
});
