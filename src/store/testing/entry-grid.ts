import fc from "fast-check";
import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { EntryFilter } from "../delivery-data-store.js";
import { naiveMatches } from "./naive-filter.js";
import { accepted } from "./test-events.js";

/** App ids in byte order, which differs from UTF-16 order. */
export const APPS = ["--", "1:1:android:a", "1:1:android:b", "B", "a", "\uff5e", "😀"] as const;
export const LABELS = [
  "",
  "%",
  "%a",
  "-",
  "Z",
  "a",
  "a.b",
  "aXb",
  "a_b",
  "aab",
  "abab",
  "b",
  "ba",
  "~",
] as const;
/** First day of the grid. */
export const FIRST = Date.UTC(2026, 2, 1) / 86_400_000;
export const DAYS = 6;

/** One message for most combinations of day, app and label. */
export const GRID = Array.from({ length: DAYS }, (_, i) => FIRST + i).flatMap((day, d) =>
  APPS.flatMap((appId, a) =>
    LABELS.filter((_, l) => (d + a + l) % 4 !== 0).map((analyticsLabel) => ({
      day,
      appId,
      analyticsLabel,
      event: accepted({
        appId,
        messageId: `${day}/${analyticsLabel}`,
        eventTime: new Date(day * 86_400_000 + 72_000_000).toISOString(),
        analyticsLabel,
      }),
    })),
  ),
);

export interface Place {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
}

/** Returns the grid entries of one app, or of all apps, in list order. */
export const gridOf = (appId?: string, filter: EntryFilter = { kind: "and", operands: [] }): Place[] =>
  GRID.map(({ day, appId, analyticsLabel }) => ({ day, appId, label: analyticsLabel }))
    .filter((place) => (appId ?? place.appId) === place.appId && naiveMatches(filter, place))
    .sort((a, b) => b.day - a.day || byBytes(a.appId, b.appId) || byBytes(a.label, b.label));

const comparison = fc.constantFrom(
  "=" as const,
  "!=" as const,
  "<" as const,
  "<=" as const,
  ">" as const,
  ">=" as const,
);
const piece = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "."), maxLength: 3 }),
  fc.constantFrom("é", "'", '"', "\\", "*", "\u0000", "$1", "A"),
);
/** Generates arbitrary filters. */
export const { filter } = fc.letrec<{ filter: EntryFilter }>((tie) => {
  const operands = fc.array(tie("filter"), { maxLength: 3 });
  return {
    filter: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({
        kind: fc.constant("day" as const),
        comparison,
        day: fc.integer({ min: FIRST - 1, max: FIRST + DAYS }),
      }),
      fc.record({
        kind: fc.constant("label" as const),
        comparison,
        label: fc.oneof(fc.constantFrom(...LABELS), piece),
      }),
      fc.record({
        kind: fc.constant("pattern" as const),
        pieces: fc.array(piece, { minLength: 2, maxLength: 5 }),
      }),
      fc.record({ kind: fc.constant("and" as const), operands }),
      fc.record({ kind: fc.constant("or" as const), operands }),
      fc.record({ kind: fc.constant("not" as const), operand: tie("filter") }),
    ),
  };
});
