import { expect } from "vitest";
import { accepted, type Entry, entryName, inListOrder, listOf } from "../support/data/delivery-data.js";
import { entriesOf, importBatch, ndjson } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { createCredentials } from "../support/servers/credentials.js";
import { it } from "../support/servers/fixtures.js";
import { mirrorOf } from "../support/servers/mirror-of.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { setClock } from "../support/servers/set-clock.js";

/** Noon in Los Angeles. */
const CLOCK = { adjustable: true, start: "2026-11-12T20:00:00Z" };
const DAYS = Array.from({ length: 20 }, (_, i) =>
  new Date(Date.UTC(2026, 10, 1 + i)).toISOString().slice(0, 10),
);
/** Consecutive days. Upstream deletes the first ones long before the end. */
const PASSING = 20;

const GAPS = `${listOf(ANDROID_APP).replace(/[^/]+$/, "mirrorGaps")}`;
const dayOf = (entry: Entry): string => entryName(entry).slice(0, "2026-11-01".length);

/** Lists a server's entries, and retries after emulated errors. */
const listed = (server: Server, token: string): Promise<Entry[]> =>
  poll(
    async () => {
      const { status, text } = await send(server.messagingDataUrl, listOf(ANDROID_APP), { token });
      return status === 200 ? ((JSON.parse(text).androidDeliveryData ?? []) as Entry[]) : undefined;
    },
    (entries) => entries !== undefined,
  ).then((entries) => entries ?? []);

it("a mirror of a service that emulates FCM has all its data, and reports the gaps", async ({
  startServer,
  openServer,
}) => {
  const emulation = { preset: "original", seed: 5, missingDays: 0.15, minMessages: 5, errors: 0.3 };
  const upstream = await startServer({ ...BASE_CONFIG, clock: CLOCK, messagingData: { emulation } });
  const editor = await upstream.token(EDITOR);
  await setClock(upstream, { time: "2026-11-22T20:00:00Z", rate: 0 });
  const events = DAYS.flatMap((day) =>
    Array.from({ length: 31 }, (_, i) => accepted(ANDROID_APP, `${day}T20:00:00Z`, i === 0 ? "" : "promo")),
  );
  await importBatch(upstream, editor, ndjson(events));
  const { path } = await createCredentials(upstream, VIEWER);
  const mirror = await openServer({
    ...mirrorOf(upstream, path, { apps: [ANDROID_APP] }),
    clock: CLOCK,
  });
  const viewer = await mirror.token(VIEWER);

  const expected = new Map<string, Entry>();
  for (let day = 0; day < PASSING; day++) {
    const time = new Date(Date.parse(CLOCK.start) + day * 86_400_000).toISOString();
    await Promise.all([upstream, mirror].map((server) => setClock(server, { time, rate: 0 })));
    for (const entry of await listed(upstream, editor)) expected.set(entryName(entry), entry);
    // A failed round is repeated.
    await poll(
      async () =>
        (await send(mirror.adminUrl, "/mirror", { method: "POST", token: mirror.adminToken() })).text,
      (lines) => !lines.includes('"problem"'),
    );
  }

  const kept = await entriesOf(mirror, viewer, ANDROID_APP);
  expect(kept).toEqual([...expected.values()].sort(inListOrder));
  expect(kept.filter(({ data }) => Object.keys(data ?? {}).length === 0).length).toBeGreaterThan(0);
  const days = new Set(kept.map(dayOf));
  const [first = "", last = ""] = [kept.at(-1), kept[0]].map((entry) => entry && dayOf(entry));
  expect((await listed(upstream, editor)).map(dayOf)).not.toContain(first);
  const missing = DAYS.filter((day) => day > first && day < last && !days.has(day));
  expect(missing.length).toBeGreaterThan(0);
  const { text } = await send(mirror.messagingDataUrl, GAPS, { token: viewer });
  const reported = (JSON.parse(text).gaps as { kind: string; date: Entry["date"] }[])
    .filter(({ kind }) => kind === "MISSING_DATE")
    .map(({ date }) => dayOf({ date } as Entry));
  expect(reported.filter((day) => day < last).sort()).toEqual(missing);
});
