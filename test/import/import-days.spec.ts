import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { civilDate, dayOf, formatDay, startOfDay } from "../../src/model/day.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const MAX_DAYS = 1_000;

const test = serving.extend("configured", { scope: "file" }, ({ openSharedServer }) =>
  openSharedServer({
    ...BASE_CONFIG,
    messagingData: { import: { days: { from: "2020-02-29", ahead: 0 }, maxDays: 2 } },
  }),
);

/** An event at noon of a day. */
const on = (day: number, appId = "days") =>
  accepted(appId, new Date(startOfDay(day) + 43_200_000).toISOString());

describe("an event is rejected if its time is in", () => {
  test.for<[name: string, eventTime: () => string]>([
    ["the day before 1970", () => "1969-12-31T23:59:59.999-08:00"],
    ["the year 1", () => "0001-06-01T12:00:00Z"],
    ["the year 9999", () => "9999-06-01T12:00:00Z"],
    ["a day more than two days ahead", () => new Date(startOfDay(TODAY + 4)).toISOString()],
  ])("%s", async ([_, eventTime], { server, editor }) => {
    const good = accepted("days", "2026-01-02T12:00:00Z");
    for (const form of [
      { ...good, eventTime: eventTime() },
      { eventTime: eventTime(), event_type: 1, appId: "days", messageId: "m" },
    ]) {
      const { status, text } = await postEvents(server, editor, ndjson([good, form, good]));
      expect([status, errorOf(text)]).toMatchObject([
        400,
        { reason: "INVALID_MESSAGE_EVENTS", fields: ["lines[2].eventTime"] },
      ]);
    }
  });

  test("a day that is not accepted by the configuration", async ({ configured }) => {
    const token = await configured.token(EDITOR);
    const bodies = [
      [on(dayOf(Date.parse("2020-02-29T12:00:00Z"))), 200],
      [on(dayOf(Date.parse("2020-02-28T20:00:00Z"))), 400],
      [on(TODAY), 200],
      [on(TODAY + 2), 400],
    ] as const;
    for (const [event, expected] of bodies) {
      expect((await postEvents(configured, token, ndjson([event]))).status).toBe(expected);
    }
  });
});

test("events are accepted from the first instant of 1970 to two days ahead", async ({ server, editor }) => {
  const first = accepted("edges", "1970-01-01T00:00:00-08:00");
  const { status } = await postEvents(server, editor, ndjson([first, on(TODAY + 2, "edges")]));
  expect(status).toBe(200);
  const [entry] = await entriesOnceThey(server, editor, "edges", ({ length }) => length === 1);
  expect(entry?.date).toEqual(civilDate(0));
});

describe("an import with events on too many days", () => {
  const events = (days: number, appId: string) =>
    ndjson(Array.from({ length: days }, (_, i) => on(TODAY - 10 - i, appId)));

  test("is rejected as a whole, with the number of days in the error", async ({ server, editor }) => {
    const { status, text } = await postEvents(server, editor, events(MAX_DAYS + 1, "too-many"));
    expect([status, errorOf(text)]).toMatchObject([
      400,
      {
        status: "INVALID_ARGUMENT",
        reason: "TOO_MANY_DAYS",
        metadata: { dayCount: String(MAX_DAYS + 1), maxDays: String(MAX_DAYS) },
      },
    ]);
    expect((await postEvents(server, editor, events(MAX_DAYS, "just-fits"))).status).toBe(200);
    await entriesOnceThey(server, editor, "just-fits", ({ length }) => length === MAX_DAYS);
    expect(await entriesOf(server, editor, "too-many")).toEqual([]);
  });

  test("is rejected according to the configured limit", async ({ configured }) => {
    const token = await configured.token(EDITOR);
    expect((await postEvents(configured, token, events(2, "few"))).status).toBe(200);
    const rejected = await postEvents(configured, token, events(3, "few"));
    expect(errorOf(rejected.text).reason).toBe("TOO_MANY_DAYS");
  });
});

test.for(["-", ".", ".."])(
  "an event of the app %j is rejected, because no path can name it",
  async (appId, { server, editor }) => {
    for (const line of [ndjson([on(TODAY, appId)]), JSON.stringify(on(TODAY, appId)).replace(":", " :")]) {
      const { text } = await postEvents(server, editor, line);
      expect(errorOf(text).fields).toEqual(["lines[1].appId"]);
    }
  },
);

test("the error about an event's day contains the accepted days", async ({ server, editor }) => {
  const { text } = await postEvents(server, editor, ndjson([on(TODAY + 9)]));
  expect(errorOf(text).message).toContain(`1970-01-01 to ${formatDay(TODAY + 2)}`);
});
