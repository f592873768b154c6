import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { appIds } from "../../src/simulator/app-ids.js";
import { allPages, type Entry, inListOrder, listOf, type Page } from "../support/delivery-data.js";
import { send } from "../support/exchange.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { importTraffic } from "../support/simulated-traffic.js";
import { EDITOR, OTHER_PROJECT, PROJECT, STRANGER, VIEWER } from "../support/waybill.js";

const ALL = listOf("-");
/** Their order by bytes differs from their order in UTF-16. */
const APPS = [...appIds(3), "com.example.app", "Ünicode", "😀", "\uff5e"];

let server: OpenServer;
let viewer: string;
let entries: readonly Entry[];
beforeAll(async () => {
  server = await openServer();
  const editor = await server.token(EDITOR);
  viewer = await server.token(VIEWER);
  entries = (await importTraffic(server, editor, ...APPS)).sort(inListOrder);
});
afterAll(() => server.close());

const get = (target: string, token = viewer) => send(server.messagingDataUrl, target, { token });
async function listed(target: string): Promise<Entry[]> {
  const pages = await allPages(server.messagingDataUrl, target, viewer);
  return pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData);
}

describe("the list of all apps of a project", () => {
  test.each([3, 50, 1000])("returns the simulator's truth in pages of %i", async (pageSize) => {
    expect(new Set(entries.map(({ appId }) => appId)).size).toBe(APPS.length);
    expect(await listed(`${ALL}?pageSize=${pageSize}`)).toEqual(entries);
  });

  test.each([
    ["the project's number", listOf("-", PROJECT.number)],
    ["a hyphen in percent-encoding", listOf("%2D")],
  ])("returns the same entries for %s", async (_, target) => {
    expect((await get(target)).text).toBe((await get(ALL)).text);
  });

  it("applies a filter", async () => {
    const filter = encodeURIComponent('date >= 2025-03-05 AND analyticsLabel = "*o*"');
    const expected = entries.filter(
      ({ date, analyticsLabel = "" }) => date.day >= 5 && analyticsLabel.includes("o"),
    );
    expect(expected.length).toBeGreaterThan(20);
    expect(await listed(`${ALL}?pageSize=7&filter=${filter}`)).toEqual(expected);
  });

  it("rejects page tokens of a single app's list, and vice versa", async () => {
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

  it("requires permission to read the project", async () => {
    const stranger = await server.token(STRANGER);
    expect((await get(ALL, stranger)).status).toBe(403);
    expect((await get(listOf("-", OTHER_PROJECT.id))).status).toBe(403);
    expect((await get("/v1beta1/projects/-/androidApps/-/deliveryData")).status).toBe(403);
  });
});
