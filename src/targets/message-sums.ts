import type { Day } from "../model/day.js";
import { COUNTS, type CountColumns } from "../store/delivery-data-store.js";

const ACCEPTED = COUNTS.indexOf("count_messages_accepted");
const DELIVERED = COUNTS.indexOf("delivered");

export interface Messages {
  readonly accepted: number;
  readonly delivered: number;
}

/** Messages of a group of entries. A dimension is undefined if the group has several of its values. */
export interface MessageSum extends Messages {
  readonly day: Day | undefined;
  readonly appId: string | undefined;
  readonly label: string | undefined;
}

export const messageSums = (sums: readonly CountColumns[]): readonly MessageSum[] =>
  sums.flatMap(({ length, days, appIds, labels, counts }) =>
    Array.from({ length }, (_, row) => ({
      day: days?.[row],
      appId: appIds?.[row],
      label: labels?.[row],
      accepted: Number(counts[ACCEPTED]?.[row]),
      delivered: Number(counts[DELIVERED]?.[row]),
    })),
  );
