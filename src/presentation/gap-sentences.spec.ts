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
  ["a date", [missing(14)], ["1 date is missing; the original will have forgotten 2026-11-14 in 2 days."]],
  [
    "a date that is given today for the last time",
    [missing(13)],
    ["1 date is missing; the original will have forgotten 2026-11-13 tomorrow."],
  ],
  [
    "several dates, the most urgent first",
    [missing(15), missing(14), missing(14, "b")],
    ["3 dates are missing in 2 apps; the original will have forgotten 2026-11-14 in 2 days."],
  ],
  ["a lost date", [missing(12)], ["1 date is lost: the original no longer has it."]],
  [
    "dates of both kinds",
    [missing(16), missing(12), missing(11)],
    [
      "1 date is missing; the original will have forgotten 2026-11-16 in 4 days.",
      "2 dates are lost: the original no longer has them.",
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
    ["2 apps have had no entries of late."],
  ],
  [
    "refused credentials, since the first refusal, and of the first day that they keep from coming",
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
      /^The original has refused the credentials of the mirror since 2026-11-19T09:00:00\.000Z; .* will have forgotten 2026-11-15 in 3 days; the last attempt met HTTP 403: no\.$/,
    ],
  ],
  [
    "an obstacle that has begun to cost days",
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
      /^The original has not answered since 2026-11-19T09:00:00\.000Z; the original has forgotten 2026-11-09\.$/,
    ],
  ],
  [
    "an original that is away, and one that has changed",
    [
      { appId: "a", kind: "SCHEMA_CHANGED", startTime },
      { appId: "a", kind: "ORIGINAL_UNAVAILABLE", startTime },
    ],
    [
      /^The original has not answered since 2026-11-19T09:00:00\.000Z\.$/,
      /^The original has answered in another form since 2026-11-19T09:00:00\.000Z\.$/,
    ],
  ],
])("tells of %s", (_, gaps, sentences) => {
  expect(gapSentences(gaps, READER)).toEqual(
    sentences.map((sentence) => (typeof sentence === "string" ? sentence : expect.stringMatching(sentence))),
  );
});
