import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../src/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../../src/store/testing/naive-rollup.js";
import { entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { it } from "../support/servers/fixtures.js";

/**
 * Both daylight-saving changes, edges of days, and different UTC offsets. There are only a few instants, so that events
 * often coincide.
 */
const INSTANTS = [
  "2025-03-09T07:59:59.999Z",
  "2025-03-09T08:00:00Z",
  "2025-03-09T10:00:00Z",
  "2025-03-09T23:59:59.999-07:00",
  "2025-03-10T07:00:00Z",
  "2025-11-02T01:30:00-07:00",
  "2025-11-02T01:30:00-08:00",
  "2025-11-03T13:29:59.9999+05:30",
  "2025-11-03T08:00:00Z",
];

const TYPES = EventTypeSchema.values.slice(1).map(({ name }) => name);

const history = fc.array(
  fc.record(
    {
      app: fc.constantFrom(0, 1),
      messageId: fc.constantFrom("a", "b", "c", "д"),
      eventTime: fc.constantFrom(...INSTANTS),
      eventType: fc.oneof(fc.constantFrom(...TYPES), fc.constantFrom("ACCEPTED", "DELIVERED")),
      analyticsLabel: fc.constantFrom("", "a", "B", "%"),
      notification: fc.boolean(),
      usageReportingOptIn: fc.constantFrom(true, true, true, false),
    },
    { requiredKeys: ["app", "messageId", "eventTime", "eventType"] },
  ),
  { minLength: 1, maxLength: 60 },
);

let runs = 0;

it("the list has the same entries as a naive rollup, for events in any order, repetition and grouping", async ({
  server,
  editor,
}) => {
  await fc.assert(
    fc.asyncProperty(
      history.chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray([...events, ...events], { minLength: events.length }),
        ),
      ),
      fc.integer({ min: 1, max: 25 }),
      async ([events, again], size) => {
        const apps = [`app-${runs}-0`, `app-${runs}-1`];
        runs += 1;
        const named = (list: typeof events) =>
          list.map(({ app, ...event }) => ({ appId: apps[app] ?? "", ...event }));
        const sent = named([...again, ...events]);
        for (let start = 0; start < sent.length; start += size) {
          const { status } = await postEvents(server, editor, ndjson(sent.slice(start, start + size)));
          expect(status).toBe(200);
        }
        const expected = naiveRollup(named(events) as NaiveEvent[]);
        for (const appId of apps) {
          const entries = expected.filter((entry) => entry.appId === appId).map(naiveJson);
          const listed = await entriesOnceThey(server, editor, appId, (found) =>
            isDeepStrictEqual(found, entries),
          );
          expect(listed).toEqual(entries);
          expect(await entriesOf(server, editor, appId, 2)).toEqual(entries);
        }
      },
    ),
    // Each run waits for rollups, and later runs have more days to roll up.
    { numRuns: 15 },
  );
});
