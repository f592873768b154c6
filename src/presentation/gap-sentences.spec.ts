import { expect, test } from "vitest";
import type { AndroidMirrorGapJson } from "../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { dayOfCivil, formatDay } from "../model/day.js";
import { type GapReader, gapSentences } from "./gap-sentences.js";

const READER: GapReader = {
  today: dayOfCivil(2026, 11, 20),
  day: formatDay,
  time: (time) => new Date(time).toISOString(),
  count: String,
};
const november = (day: number) => ({ year: 2026, month: 11, day });
const missing = (day: number, appId = "a"): AndroidMirrorGapJson => ({
  appId,
  kind: "MISSING_DATE",
  date: november(day),
  expireDate: november(day + 7),
});
const startTime = "2026-11-19T09:00:00Z";

test.each<[string, readonly AndroidMirrorGapJson[], readonly (string | RegExp)[]]>([
  ["no gap", [], []],
  ["a date", [missing(14)], ["1 date is missing; 2026-11-14 expires upstream in 2 days."]],
  [
    "a date that is available today for the last time",
    [missing(13)],
    ["1 date is missing; 2026-11-13 expires upstream tomorrow."],
  ],
  [
    "several dates, the most urgent first",
    [missing(15), missing(14), missing(14, "b")],
    ["3 dates are missing in 2 apps; 2026-11-14 expires upstream in 2 days."],
  ],
  ["a lost date", [missing(12)], ["1 date is lost: it has expired upstream."]],
  [
    "dates of both kinds",
    [missing(16), missing(12), missing(11)],
    [
      "1 date is missing; 2026-11-16 expires upstream in 4 days.",
      "2 dates are lost: they have expired upstream.",
    ],
  ],
  [
    "an app that stopped",
    [{ appId: "a", kind: "NO_RECENT_DATA", date: november(9) }],
    ["a has had no entries since 2026-11-09."],
  ],
  [
    "apps that stopped",
    [
      { appId: "a", kind: "NO_RECENT_DATA", date: november(9) },
      { appId: "b", kind: "NO_RECENT_DATA" },
    ],
    ["2 apps have had no entries recently."],
  ],
  [
    "rejected credentials, since the first rejection, and the first day that they prevent",
    [
      {
        appId: "a",
        kind: "CREDENTIALS_REJECTED",
        startTime: "2026-11-20T09:00:00Z",
        problem: "HTTP 403: no",
        date: november(15),
        expireDate: november(23),
      },
      {
        appId: "b",
        kind: "CREDENTIALS_REJECTED",
        startTime,
        problem: "HTTP 403: no",
        date: november(14),
        expireDate: november(22),
      },
    ],
    [
      /^The upstream service has rejected the mirror's credentials since 2026-11-19T09:00:00\.000Z; 2026-11-15 expires upstream in 3 days; the last attempt failed with HTTP 403: no\.$/,
    ],
  ],
  [
    "an obstacle that has already lost a day",
    [
      {
        appId: "a",
        kind: "ORIGINAL_UNAVAILABLE",
        startTime,
        date: november(8),
        expireDate: november(16),
      },
    ],
    [
      /^The upstream service has been unavailable since 2026-11-19T09:00:00\.000Z; 2026-11-09 has expired upstream\.$/,
    ],
  ],
  [
    "an upstream service that is unavailable, and one that has changed",
    [
      { appId: "a", kind: "SCHEMA_CHANGED", startTime },
      { appId: "a", kind: "ORIGINAL_UNAVAILABLE", startTime },
    ],
    [
      /^The upstream service has been unavailable since 2026-11-19T09:00:00\.000Z\.$/,
      /^The upstream service has responded in an unknown form since 2026-11-19T09:00:00\.000Z\.$/,
    ],
  ],
])("gapSentences describes %s", (_, gaps, sentences) => {
  expect(gapSentences(gaps, READER)).toEqual(
    sentences.map((sentence) => (typeof sentence === "string" ? sentence : expect.stringMatching(sentence))),
  );
});
