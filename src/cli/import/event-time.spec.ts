import { expect, it } from "vitest";
import { eventTimeOf, type TimeFormat } from "./event-time.js";

interface Case {
  readonly text: string;
  readonly format?: TimeFormat;
  readonly offset?: string;
  readonly time: string | undefined;
  /** The expected problem, for strings that are not times. */
  readonly problem?: string;
}

const SECONDS = "must be in milliseconds since 1970, and seems to be in seconds";
const RANGE = "has a day, hour, minute, second or offset out of range";

it.each<Case>([
  { text: "2025-06-02T16:00:01.25Z", time: "2025-06-02T16:00:01.25Z" },
  { text: "2025-06-02t16:00:01z", time: "2025-06-02T16:00:01Z" },
  { text: "2025-06-02 16:00:01.123456 UTC", time: "2025-06-02T16:00:01.123456Z" },
  { text: "2025-06-02 16:00:01+00", time: "2025-06-02T16:00:01+00:00" },
  { text: "2025-06-02 16:00:01,5 -0730", offset: "Z", time: "2025-06-02T16:00:01.5-07:30" },
  { text: "2025-06-02 16:00:01", offset: "+02:00", time: "2025-06-02T16:00:01+02:00" },
  { text: "2025-06-02 16:00:01", time: undefined },
  { text: "2025-06-02", offset: "Z", time: undefined },
  { text: "1748880001", offset: "Z", time: undefined },
  { text: "1748880001", format: "seconds", time: "2025-06-02T16:00:01.000Z" },
  { text: "1748880001.123", format: "seconds", time: "2025-06-02T16:00:01.123Z" },
  { text: "1.748880001123E9", format: "seconds", time: "2025-06-02T16:00:01.123Z" },
  { text: "1748880001123", format: "milliseconds", time: "2025-06-02T16:00:01.123Z" },
  { text: "1748880001123999", format: "microseconds", time: "2025-06-02T16:00:01.123Z" },
  { text: "-1", format: "milliseconds", time: "1969-12-31T23:59:59.999Z" },
  { text: "1748880001123999", format: "seconds", time: undefined },
  { text: "2025-06-02T16:00:01Z", format: "seconds", time: undefined },
  { text: "0x10", format: "seconds", time: undefined },
  { text: "1E999", format: "microseconds", time: undefined },
  { text: "1748880001123", format: "seconds", time: undefined },
  { text: "2025-02-30T16:00:01Z", time: undefined, problem: RANGE },
  { text: "2025-06-02 24:00:00 UTC", time: undefined, problem: RANGE },
  { text: "2025-06-02T23:59:60Z", time: undefined, problem: RANGE },
  { text: "2025-06-02T23:59:59+24", time: undefined, problem: RANGE },
  { text: "1748880000", format: "milliseconds", time: undefined, problem: SECONDS },
  { text: "4102444799", format: "milliseconds", time: undefined, problem: SECONDS },
  { text: "946684799", format: "milliseconds", time: "1970-01-11T22:58:04.799Z" },
  { text: "4102444800", format: "milliseconds", time: "1970-02-17T11:34:04.800Z" },
  { text: "1748880000", format: "microseconds", time: undefined, problem: SECONDS.replace("milli", "micro") },
  {
    text: "1748880001123",
    format: "microseconds",
    time: undefined,
    problem: "must be in microseconds since 1970, and seems to be in milliseconds",
  },
])(
  "eventTimeOf converts $text to $time",
  ({ text, format = "iso", offset, time, problem = expect.any(String) }) => {
    expect(eventTimeOf(text, format, offset)).toEqual(time === undefined ? { problem } : { time });
  },
);
