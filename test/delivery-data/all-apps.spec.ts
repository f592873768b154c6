import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { appIds } from "../../src/simulator/simulate-traffic.js";
import { allPages, type Entry, inListOrder, listOf, type Page } from "../support/data/delivery-data.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { sender } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { NO_ROLE, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";

const ALL = listOf("-");
/** The byte order of these ids differs from their UTF-16 order. */
const APPS = [...appIds(3), "com.example.app", "Ünicode", "😀", "\uff5e"];

const test = serving
  .extend("entries", { scope: "file", auto: true }, async ({ server, editor }) =>
    (await importTraffic(server, editor, ...APPS)).sort(inListOrder),
  )
  .extend("get", ({ server, viewer }) => sender(server.messagingDataUrl, viewer))
  .extend("listed", ({ server, viewer }) => async (target: string): Promise<Entry[]> => {
    const pages = await allPages(server.messagingDataUrl, target, viewer);
    return pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData);
  });

describe("the list of all apps of a project", () => {
  test.for([3, 50, 1000])(
    "returns the entries that the simulator expects, in pages of %i",
    async (pageSize, { entries, listed }) => {
      expect(new Set(entries.map(({ appId }) => appId)).size).toBe(APPS.length);
      expect(await listed(`${ALL}?pageSize=${pageSize}`)).toEqual(entries);
    },
  );

  test.for([
    ["the project's number", listOf("-", PROJECT.number)],
    ["a hyphen in percent-encoding", listOf("%2D")],
  ] as const)("returns the same entries for %s", async ([_, target], { get }) => {
    expect((await get(target)).text).toBe((await get(ALL)).text);
  });

  test("applies the filter", async ({ entries, listed }) => {
    const filter = encodeURIComponent('date >= 2025-03-05 AND analyticsLabel = "*o*"');
    const expected = entries.filter(
      ({ date, analyticsLabel = "" }) => date.day >= 5 && analyticsLabel.includes("o"),
    );
    expect(expected.length).toBeGreaterThan(20);
    expect(await listed(`${ALL}?pageSize=7&filter=${filter}`)).toEqual(expected);
  });

  test("rejects page tokens from a single app's list, and vice versa", async ({ get }) => {
    const [app = ""] = APPS;
    const tokenOf = async (target: string) => (JSON.parse((await get(target)).text) as Page).nextPageToken;
    for (const [from, to] of [
      [ALL, listOf(app)],
      [listOf(app), ALL],
    ]) {
      const { status, text } = await get(`${to}?pageSize=2&pageToken=${await tokenOf(`${from}?pageSize=2`)}`);
      expect([status, errorOf(text).reason]).toEqual([400, "PAGE_TOKEN_MISMATCH"]);
      expect(errorOf(text).message).toContain("another parent");
    }
  });

  test("requires permission to read the project", async ({ server, get }) => {
    const noRole = await server.token(NO_ROLE);
    expect((await get(ALL, { token: noRole })).status).toBe(403);
    expect((await get(listOf("-", OTHER_PROJECT.id))).status).toBe(403);
    expect((await get("/v1beta1/projects/-/androidApps/-/deliveryData")).status).toBe(403);
  });
});
