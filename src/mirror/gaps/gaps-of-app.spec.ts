import { describe, expect, it, test } from "vitest";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { startOfDay } from "../../model/day.js";
import type { DayRuns } from "../day-runs.js";
import type { AppMirror, Failure } from "../mirror-state.js";
import type { UpstreamErrorKind } from "../upstream/upstream.js";
import { gapsOfApp } from "./gaps-of-app.js";

const HOUR = 3_600_000;
const TODAY = 20_779;
const NOW = startOfDay(TODAY) + 12 * HOUR;
const TERMS = { schedule: { every: 6 * HOUR, jitter: HOUR }, delay: 2 * 24 * HOUR, windowDays: 7 };
/** Days from the last expected one. It ended more than two days ago. */
const LAST = TODAY - 3;

const held = (...days: DayRuns): AppMirror => ({ since: 0, round: NOW, days });
const failing = (kind: UpstreamErrorKind, since = NOW - HOUR): Failure => ({
  count: 3,
  kind,
  message: "HTTP 500",
  since,
  at: 0,
  retryAt: 0,
});
const gaps = (app: AppMirror, pause?: Failure, now = NOW) => gapsOfApp("app", app, pause, TERMS, now);

describe("gapsOfApp", () => {
  test.each<[string, AppMirror, object[]]>([
    ["returns nothing for complete days", held([LAST - 30, LAST]), []],
    ["returns nothing for days that may still arrive", held([LAST - 30, LAST]), []],
    [
      "returns each missing date within the traffic, newest first, with its expiry",
      held([LAST - 30, LAST - 10], [LAST - 8, LAST - 6], [LAST - 4, LAST]),
      [LAST - 5, LAST - 9].map((day) => ({
        appId: "app",
        kind: Kind.MISSING_DATE,
        day,
        expireDay: day + 7,
        since: startOfDay(day + 1) + TERMS.delay,
      })),
    ],
    [
      "returns one gap after the app has stopped",
      held([LAST - 30, LAST - 3]),
      [
        {
          appId: "app",
          kind: Kind.NO_RECENT_DATA,
          day: LAST - 3,
          expireDay: LAST - 2 + 7,
          since: startOfDay(LAST + 1) + TERMS.delay,
        },
      ],
    ],
    ["returns nothing before the first round", { since: NOW, days: [] }, []],
  ])("%s", (_, app, expected) => {
    expect(gaps(app)).toEqual(expected);
  });

  it("ignores days after the last successful round", () => {
    const app = { ...held([LAST - 30, LAST]), round: NOW - 5 * HOUR };
    expect(gaps(app, undefined, NOW + 6 * 24 * HOUR).map(({ kind }) => kind)).toEqual([
      Kind.ORIGINAL_UNAVAILABLE,
    ]);
  });

  it("ignores days that are in the future because the clock was set back", () => {
    expect(gaps(held([LAST - 30, LAST - 3]), undefined, NOW - 10 * 24 * HOUR)).toEqual([]);
  });

  it("returns only the newest hundred missing dates", () => {
    const everyThird = Array.from({ length: 130 }, (_, index) => {
      const first = LAST - 3 * index - 1;
      return [first, first + 1] as const;
    }).reverse();
    const days = gaps(held(...everyThird)).map(({ day }) => day);
    expect(days).toHaveLength(100);
    expect(days[0]).toBe(LAST - 2);
  });
});

describe("gapsOfApp after failures", () => {
  const days = [[LAST - 30, LAST]] as const;
  const found = (kind: Kind, since: number, problem?: string) => [
    { appId: "app", kind, day: LAST, expireDay: LAST + 8, since, problem },
  ];

  test.each<[string, AppMirror, Failure | undefined, object[]]>([
    [
      "reports rejected credentials at once",
      { since: 0, round: NOW, days, failure: failing("credentials") },
      undefined,
      found(Kind.CREDENTIALS_REJECTED, NOW - HOUR, "HTTP 500"),
    ],
    [
      "reports rejected credentials of the project for an app that was not tried",
      { since: 0, round: NOW, days },
      failing("credentials"),
      found(Kind.CREDENTIALS_REJECTED, NOW - HOUR, "HTTP 500"),
    ],
    [
      "ignores an upstream that fails for a short time",
      { since: 0, round: NOW - 13 * HOUR, days, failure: failing("unavailable") },
      undefined,
      [],
    ],
    [
      "reports an upstream that fails for more than two intervals",
      { since: 0, round: NOW - 15 * HOUR, days, failure: failing("unavailable") },
      undefined,
      found(Kind.ORIGINAL_UNAVAILABLE, NOW - HOUR, "HTTP 500"),
    ],
    [
      "reports an upstream that was not read for more than two intervals",
      { since: 0, round: NOW - 15 * HOUR, days },
      undefined,
      found(Kind.ORIGINAL_UNAVAILABLE, NOW - HOUR),
    ],
    [
      "reports an unreadable format at once",
      { since: 0, round: NOW - 15 * HOUR, days, failure: failing("form") },
      undefined,
      found(Kind.SCHEMA_CHANGED, NOW - HOUR, "HTTP 500"),
    ],
    [
      "reports an unknown format",
      { since: 0, round: NOW, days, problem: { message: "unknown field data.foo", since: NOW - 2 } },
      undefined,
      found(Kind.SCHEMA_CHANGED, NOW - 2, "unknown field data.foo"),
    ],
  ])("%s", (_, app, pause, expected) => {
    expect(gaps(app, pause)).toEqual(expected);
  });

  it("returns no dates for an app that has never had entries", () => {
    const app = { since: NOW - 20 * HOUR, days: [], failure: failing("unavailable") };
    expect(gaps(app)).toEqual([
      { appId: "app", kind: Kind.ORIGINAL_UNAVAILABLE, since: NOW - HOUR, problem: "HTTP 500" },
    ]);
  });
});
