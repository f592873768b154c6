import { type CategoryGroup, type Denominator, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { acceptedOf, type Counts, countIn, FEW, notificationsOf, percentOf } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";

/** Point shape, which distinguishes lines. */
export type PointShape = "circle" | "square" | "triangle" | "diamond" | "cross";

/** In order of assignment to lines. */
const POINT_SHAPES: readonly PointShape[] = ["circle", "square", "triangle", "diamond", "cross"];

/** Appearance in a chart. Series never differ only by color. */
export interface Look {
  /** CSS variable of the color. */
  readonly color: `--${string}`;
  readonly mark: "solid" | "hatched" | PointShape;
}

/** The denominator of shares. */
export interface Base<C = Counts> {
  readonly title: string;
  countOf(counts: C): number;
}

/** A chart series, with one value per day. */
export interface Series<C = Counts> {
  /** Name in the URL. Omitted if the series cannot be isolated. */
  readonly key?: string;
  readonly title: string;
  /** Explanation, in one sentence. */
  readonly meaning: string;
  readonly look: Look;
  /** The number of messages or notifications. */
  countOf(counts: C): number;
  /** Omitted for counts. */
  readonly base?: Base<C>;
}

const BASES: Readonly<Record<Denominator, Base>> = {
  countMessagesAccepted: {
    title: "Accepted messages",
    countOf: acceptedOf,
  },
  countNotificationsAccepted: {
    title: "Notifications",
    countOf: notificationsOf,
  },
};

/** Accepted messages, and accepted notifications. */
export const ACCEPTED: readonly Series[] = [
  {
    ...BASES.countMessagesAccepted,
    meaning: "Messages to Android devices that were accepted for delivery.",
    look: { color: "--messages", mark: "solid" },
  },
  {
    ...BASES.countNotificationsAccepted,
    meaning: "Accepted messages that carry a notification.",
    look: { color: "--notifications", mark: "solid" },
  },
];

/** Returns a series for each category of a group. For exclusive groups, the last one is unaccounted messages. */
export function seriesOf(group: CategoryGroup): readonly Series[] {
  const { denominator, exclusive } = group;
  const base = BASES[denominator];
  const series = group.categories.map(
    ({ name, title, meaning, color }, index): Series => ({
      key: name,
      title,
      meaning,
      look: { color, mark: exclusive ? "solid" : shapeOf(index) },
      countOf: (counts) => countIn(counts, name),
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

/** Key of the notifications that no event accounts for. */
export const UNACCOUNTED_NOTIFICATIONS = "unaccountedNotifications";

const UNACCOUNTED_KEYS: Readonly<Record<Denominator, string>> = {
  countMessagesAccepted: "unaccounted",
  countNotificationsAccepted: UNACCOUNTED_NOTIFICATIONS,
};

/** Returns a share in percent. Returns undefined if nothing was accepted, or for a series of counts. */
export const seriesShare = <C>({ base, countOf }: Series<C>, counts: C): number | undefined =>
  base && percentOf(countOf(counts), base.countOf(counts));

/** Returns how certain a share is, from 0 to 1 at {@link FEW} messages. */
export const certaintyOf = <C>({ base }: Series<C>, counts: C): number =>
  Math.min(1, (base?.countOf(counts) ?? FEW) / FEW);

/** Returns true if a share is uncertain because there were few messages. */
export function isUncertain<C>(series: Series<C>, counts: C): boolean {
  const certainty = certaintyOf(series, counts);
  return certainty > 0 && certainty < 1;
}

const shapeOf = (index: number): PointShape => POINT_SHAPES[index % POINT_SHAPES.length] ?? "circle";

/** Formatted values of one series, for a day or a range. */
export interface Reading<C = Counts> {
  readonly series: Series<C>;
  /** Percentage. Undefined for a series of counts. */
  readonly share: string | undefined;
  readonly count: string;
}

export const readingsOf = <C>(series: readonly Series<C>[], counts: C): Reading<C>[] =>
  series.map((each) => ({
    series: each,
    share: each.base && formatPercent(seriesShare(each, counts)),
    count: formatCount(each.countOf(counts)),
  }));

/** Formats a reading as `Delivered 93.4% (1,234)`. */
export const wordsOf = <C>({ series: { title }, share, count }: Reading<C>): string =>
  share === undefined ? `${title} ${count}` : `${title} ${share} (${count})`;
