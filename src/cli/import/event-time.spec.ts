import { expect, it } from "vitest";
import { eventTimeOf, type TimeFormat } from "./event-time.js";

interface Case {
  readonly text: string;
  readonly format?: TimeFormat;
  readonly offset?: string;
  readonly time: string | undefined;
}

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
])("reads $text as $time", ({ text, format = "iso", offset, time }) => {
  expect(eventTimeOf(text, format, offset)).toBe(time);
});
