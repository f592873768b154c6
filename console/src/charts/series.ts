import { type CategoryGroup, type Denominator, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf } from "../numbers/counts.js";
import { POINT_SHAPES, type PointShape } from "./point-shape.js";

/** How something looks in a chart: color never stands alone. */
export interface Look {
  /** The CSS variable with the color. */
  readonly color: `--${string}`;
  readonly mark: "solid" | "hatched" | PointShape;
}

/** What a chart draws for each day. */
export interface Series {
  readonly title: string;
  /** What belongs to it, in a sentence. */
  readonly meaning: string;
  readonly look: Look;
  /** How many messages, or notifications. */
  countOf(counts: Counts): number;
  /** What its shares are of; a series without it is shown in counts. */
  readonly denominator?: Denominator;
}

/** Accepted messages, and those of them that carry a notification. */
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

/** The categories of a group; of an exclusive one also what is unaccounted for. */
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

/** The share of a series in percent; undefined where there is nothing to be a part of. */
export const seriesShare = ({ denominator, countOf }: Series, counts: Counts): number | undefined =>
  denominator && percentOf(countOf(counts), counts[denominator] ?? 0);

const shapeOf = (index: number): PointShape => POINT_SHAPES[index % POINT_SHAPES.length] ?? "circle";
