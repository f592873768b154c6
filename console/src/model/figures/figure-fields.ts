import type { DataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  CATEGORY_GROUPS,
  type CategoryGroup,
  INSIGHTS,
  OUTCOMES,
  PERFORMANCE,
  shareOf,
} from "../numbers/categories.js";
import type { Counts } from "../numbers/counts.js";

/** Fields of `Data` that hold percentages. */
export type PercentGroupName = Extract<keyof DataJson, `${string}Percents`>;

/** A figure of some counts, named as in the contract. */
export interface FigureField {
  readonly name: string;
  /** Undefined for a share whose denominator is 0. */
  readonly read: (counts: Counts) => number | undefined;
}

/** The name of a group in the contract. */
export function percentGroupName(group: CategoryGroup): PercentGroupName {
  if (group === OUTCOMES) return "messageOutcomePercents";
  if (group === PERFORMANCE) return "deliveryPerformancePercents";
  return group === INSIGHTS ? "messageInsightPercents" : "proxyNotificationInsightPercents";
}

/** Every figure of a sum, in the order of the columns of an entry; percentages as `messageOutcomePercents.delivered`. */
export const FIGURE_FIELDS: readonly FigureField[] = [
  { name: "countMessagesAccepted", read: ({ countMessagesAccepted = 0 }) => countMessagesAccepted },
  {
    name: "countNotificationsAccepted",
    read: ({ countNotificationsAccepted = 0 }) => countNotificationsAccepted,
  },
  ...CATEGORY_GROUPS.flatMap((group) =>
    group.categories.map(({ name }) => ({
      name: `${percentGroupName(group)}.${name}`,
      read: (counts: Counts) => shareOf(counts, group, name),
    })),
  ),
];
