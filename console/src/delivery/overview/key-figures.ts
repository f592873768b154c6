import { OUTCOMES, PERFORMANCE, shareOf, UNACCOUNTED, unaccountedOf } from "../../numbers/categories.js";
import { type Counts, percentOf } from "../../numbers/counts.js";

/** A figure of a range, and of the range before it. */
export interface KeyFigure {
  readonly title: string;
  /** What a share is of; nothing for a count. */
  readonly of?: string;
  /** A count, or a percentage where `of` is given. Undefined where there is nothing to be a part of. */
  readonly value: number | undefined;
  /** Percent for a count, percentage points for a share. Undefined if the range before says nothing. */
  readonly change: number | undefined;
}

/**
 * What a range comes down to.
 *
 * @param now the sum of the counts of the range; undefined as long as it is not known
 * @param before the sum of the counts of the range before
 */
export function keyFiguresOf(now: Counts | undefined, before: Counts | undefined): readonly KeyFigure[] {
  const count = (title: string, of: (counts: Counts) => number): KeyFigure => {
    const value = now && of(now);
    const earlier = before === undefined ? 0 : of(before);
    return { title, value, change: value === undefined ? undefined : percentOf(value - earlier, earlier) };
  };
  const share = (title: string, of: (counts: Counts) => number | undefined): KeyFigure => {
    const value = now && of(now);
    const earlier = before && of(before);
    const change = value === undefined || earlier === undefined ? undefined : value - earlier;
    return { title, of: OUTCOMES.of, value, change };
  };
  return [
    count("Accepted messages", ({ countMessagesAccepted = 0 }) => countMessagesAccepted),
    count("Notifications", ({ countNotificationsAccepted = 0 }) => countNotificationsAccepted),
    share("Delivered", (counts) => shareOf(counts, OUTCOMES, "delivered")),
    share("Delivered without delay", (counts) => shareOf(counts, PERFORMANCE, "deliveredNoDelay")),
    share(UNACCOUNTED.title, (counts) =>
      percentOf(Math.max(0, unaccountedOf(counts, OUTCOMES)), counts.countMessagesAccepted ?? 0),
    ),
  ];
}
