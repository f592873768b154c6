import { type CategoryGroup, type Denominator, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf } from "../numbers/counts.js";

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

/** A series of a chart, with one value for each day. */
export interface Series {
  readonly title: string;
  /** One sentence about what it counts. */
  readonly meaning: string;
  readonly look: Look;
  /** The number of messages or notifications. */
  countOf(counts: Counts): number;
  /** Denominator of its shares; left out for a series of counts. */
  readonly denominator?: Denominator;
}

/** Accepted messages, and those that carry a notification. */
export const ACCEPTED: readonly Series[] = [
  {
    title: "Accepted messages",
    meaning: "Messages to Android devices that were accepted for delivery.",
    look: { color: "--messages", mark: "solid" },
    countOf: ({ countMessagesAccepted = 0 }) => countMessagesAccepted,
  },
  {
    title: "Notifications",
    meaning: "Those of the accepted messages that carry a notification.",
    look: { color: "--notifications", mark: "solid" },
    countOf: ({ countNotificationsAccepted = 0 }) => countNotificationsAccepted,
  },
];

/** The series of a group's categories; exclusive groups end with the unaccounted messages. */
export function seriesOf(group: CategoryGroup): readonly Series[] {
  const { denominator, exclusive } = group;
  const series = group.categories.map(
    ({ name, title, meaning, color }, index): Series => ({
      title,
      meaning,
      look: { color, mark: exclusive ? "solid" : shapeOf(index) },
      countOf: (counts) => counts[name] ?? 0,
      denominator,
    }),
  );
  if (!exclusive) return series;
  const { title, meaning, color } = UNACCOUNTED;
  const rest: Series = {
    title,
    meaning,
    look: { color, mark: "hatched" },
    countOf: (counts) => Math.max(0, unaccountedOf(counts, group)),
    denominator,
  };
  return [...series, rest];
}

/** The share of a series in percent; undefined if the denominator is 0. */
export const seriesShare = ({ denominator, countOf }: Series, counts: Counts): number | undefined =>
  denominator && percentOf(countOf(counts), counts[denominator] ?? 0);

const shapeOf = (index: number): PointShape => POINT_SHAPES[index % POINT_SHAPES.length] ?? "circle";
