import { expect } from "vitest";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { poll } from "../support/poll.js";
import { it as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";

const NOW = "2026-11-24T20:00:00Z";

const it = serving.override("config", {
  ...BASE_CONFIG,
  // Retention follows a changed clock immediately.
  clock: { adjustable: true, start: NOW },
  messagingData: { retention: { messages: "60d", deliveryData: "90d" } },
});

/** An event's lines for each number of days ago. */
const eventsOf = (appId: string, daysAgo: readonly number[]): string =>
  ndjson(daysAgo.map((ago) => accepted(appId, new Date(Date.parse(NOW) - ago * 86_400_000).toISOString())));

it("an import counts events of sealed days as too late, and stores all others", async ({
  server,
  editor,
}) => {
  const imported = async (appId: string, daysAgo: readonly number[]): Promise<unknown> =>
    JSON.parse((await postEvents(server, editor, eventsOf(appId, daysAgo))).text);
  const sealed = await poll(
    () => imported("first", [70]),
    (response) => Object.hasOwn(response as object, "tooLateCount"),
  );
  expect(sealed).toEqual({ tooLateCount: "1" });
  expect(await imported("other", [500, 70, 50])).toEqual({ importedCount: "1", tooLateCount: "2" });
  const listed = await entriesOnceThey(server, editor, "other", (entries) => entries.length > 0);
  expect(listed).toHaveLength(1);
});
