import { type CategoryGroup, type Denominator, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { type Counts, FEW, percentOf } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";

/** Shape that distinguishes the points of one line from those of another. */
export type PointShape = "circle" | "square" | "triangle" | "diamond" | "cross";

/** In order of assignment to lines. */
const POINT_SHAPES: readonly PointShape[] = ["circle", "square", "triangle", "diamond", "cross"];

/** Appearance in a chart. Color is never the only distinction. */
export interface Look {
  /** CSS variable of the color. */
  readonly color: `--${string}`;
  readonly mark: "solid" | "hatched" | PointShape;
}

/** The messages or notifications that shares refer to. */
export interface Base<C = Counts> {
  readonly title: string;
  countOf(counts: C): number;
}

/** A series of a chart, with one value for each day. */
export interface Series<C = Counts> {
  /** Name in an address; left out if the series cannot be shown alone. */
  readonly key?: string;
  readonly title: string;
  /** One sentence about what it counts. */
  readonly meaning: string;
  readonly look: Look;
  /** The number of messages or notifications. */
  countOf(counts: C): number;
  /** Left out for a series of counts. */
  readonly base?: Base<C>;
}

const BASES: Readonly<Record<Denominator, Base>> = {
  countMessagesAccepted: {
    title: "Accepted messages",
    countOf: ({ countMessagesAccepted = 0 }) => countMessagesAccepted,
  },
  countNotificationsAccepted: {
    title: "Notifications",
    countOf: ({ countNotificationsAccepted = 0 }) => countNotificationsAccepted,
  },
};

/** Accepted messages, and those that carry a notification. */
export const ACCEPTED: readonly Series[] = [
  {
    ...BASES.countMessagesAccepted,
    meaning: "Messages to Android devices that were accepted for delivery.",
    look: { color: "--messages", mark: "solid" },
  },
  {
    ...BASES.countNotificationsAccepted,
    meaning: "Those of the accepted messages that carry a notification.",
    look: { color: "--notifications", mark: "solid" },
  },
];

/** The series of a group's categories; exclusive groups end with the unaccounted messages. */
export function seriesOf(group: CategoryGroup): readonly Series[] {
  const { denominator, exclusive } = group;
  const base = BASES[denominator];
  const series = group.categories.map(
    ({ name, title, meaning, color }, index): Series => ({
      key: name,
      title,
      meaning,
      look: { color, mark: exclusive ? "solid" : shapeOf(index) },
      countOf: (counts) => counts[name] ?? 0,
      base,
    }),
  );
  if (!exclusive) return series;
  const { title, meaning, color } = UNACCOUNTED;
  const rest: Series = {
    key: UNACCOUNTED_KEYS[denominator],
    title,
    meaning,
    look: { color, mark: "hatched" },
    countOf: (counts) => Math.max(0, unaccountedOf(counts, group)),
    base,
  };
  return [...series, rest];
}

const UNACCOUNTED_KEYS: Readonly<Record<Denominator, string>> = {
  countMessagesAccepted: "unaccounted",
  countNotificationsAccepted: "unaccountedNotifications",
};

/** The share of a series in percent; undefined if nothing was accepted, and for a series of counts. */
export const seriesShare = <C>({ base, countOf }: Series<C>, counts: C): number | undefined =>
  base && percentOf(countOf(counts), base.countOf(counts));

/** The certainty of a share: the number of messages that it is of, as a part of enough of them; at most 1. */
export const certaintyOf = <C>({ base }: Series<C>, counts: C): number =>
  Math.min(1, (base?.countOf(counts) ?? FEW) / FEW);

/** True if a share of so few messages is uncertain. */
export function isUncertain<C>(series: Series<C>, counts: C): boolean {
  const certainty = certaintyOf(series, counts);
  return certainty > 0 && certainty < 1;
}

const shapeOf = (index: number): PointShape => POINT_SHAPES[index % POINT_SHAPES.length] ?? "circle";

/** The values of one series, for a day or a range. */
export interface Reading<C = Counts> {
  readonly series: Series<C>;
  /** Formatted percentage; undefined for a series of counts. */
  readonly share: string | undefined;
  readonly count: string;
}

/** Formats the values of each series for some counts. */
export const readingsOf = <C>(series: readonly Series<C>[], counts: C): Reading<C>[] =>
  series.map((each) => ({
    series: each,
    share: each.base && formatPercent(seriesShare(each, counts)),
    count: formatCount(each.countOf(counts)),
  }));

/** Words a reading as `Delivered 93.4% (1,234)`. */
export const wordsOf = <C>({ series: { title }, share, count }: Reading<C>): string =>
  share === undefined ? `${title} ${count}` : `${title} ${share} (${count})`;
