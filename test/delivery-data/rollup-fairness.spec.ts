import { expect } from "vitest";
import { civilDate, startOfDay } from "../../src/model/day.js";
import { accepted, type Entry, listOf, type Page } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, OTHER_PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const DAYS_A_REQUEST = 20_000;
const REQUESTS = 3;
const OTHER_EDITOR = "other-editor@example.com";

serving.override("config", {
  ...BASE_CONFIG,
  access: [...BASE_CONFIG.access, { principal: OTHER_EDITOR, projects: [OTHER_PROJECT.id], role: "editor" }],
  messagingData: { import: { maxDays: DAYS_A_REQUEST, days: { from: "1600-01-01" } } },
});
const test = serving
  .extend("staleDays", ({ server }) => async (): Promise<number> => {
    const metrics = await fetch(`${server.adminUrl}/metrics`).then((response) => response.text());
    return Number(/^waybill_rollup_stale_days (\d+)$/m.exec(metrics)?.[1]);
  })
  .extend(
    "firstPage",
    ({ server }) =>
      async (appId: string, token: string, project?: string): Promise<readonly Entry[]> => {
        const { text } = await send(server.messagingDataUrl, listOf(appId, project), { token });
        return (JSON.parse(text) as Page).androidDeliveryData ?? [];
      },
  );

const noonOf = (day: number): string => new Date(startOfDay(day) + 43_200_000).toISOString();

test("an event is listed while tens of thousands of days of another project wait for rollups", async ({
  server,
  firstPage,
  staleDays,
}) => {
  const token = await server.token(EDITOR);
  const yesterday = TODAY - 1;
  for (let request = 0; request < REQUESTS; request++) {
    const newest = yesterday - request * DAYS_A_REQUEST;
    const events = Array.from({ length: DAYS_A_REQUEST }, (_, i) => accepted("flood", noonOf(newest - i)));
    expect((await postEvents(server, token, ndjson(events))).status).toBe(200);
  }
  const other = await server.token(OTHER_EDITOR);
  const project = OTHER_PROJECT.id;
  const sent = await postEvents(server, other, ndjson([accepted("small", noonOf(yesterday))]), { project });
  expect(sent.status).toBe(200);
  const [entry] = await poll(
    () => firstPage("small", other, project),
    ({ length }) => length > 0,
  );
  expect(entry?.date).toEqual(civilDate(yesterday));
  expect(await staleDays()).toBeGreaterThan(DAYS_A_REQUEST);
  // The most recent of these many days are rolled up first.
  const [newest] = await firstPage("flood", token);
  expect(newest?.date).toEqual(civilDate(yesterday));
});
