import type {
  AndroidDeliveryDataJson,
  DataJson,
} from "../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dayOfJson } from "../days/day-json.js";
import { isoDate } from "../days/day-range.js";
import {
  CATEGORY_GROUPS,
  type CategoryGroup,
  INSIGHTS,
  OUTCOMES,
  PERFORMANCE,
} from "../numbers/categories.js";
import type { CountName } from "../numbers/counts.js";

/** The fields of `Data` that hold percentages. */
export type PercentGroupName = Extract<keyof DataJson, `${string}Percents`>;

/** A column of the file: how it is called, and the text or number in it; undefined if the entry has none. */
export interface EntryColumn {
  readonly name: string;
  readonly read: (entry: AndroidDeliveryDataJson) => string | number | undefined;
}

/** The name that a group has in the contract. */
export function percentGroupName(group: CategoryGroup): PercentGroupName {
  if (group === OUTCOMES) return "messageOutcomePercents";
  if (group === PERFORMANCE) return "deliveryPerformancePercents";
  return group === INSIGHTS ? "messageInsightPercents" : "proxyNotificationInsightPercents";
}

/** A percentage of an entry. One of 0 is left out of the JSON; a group that is left out has a denominator of 0. */
export function percentIn(
  { data }: AndroidDeliveryDataJson,
  group: CategoryGroup,
  name: CountName,
): number | undefined {
  const percents: Readonly<Record<string, unknown>> | undefined = data?.[percentGroupName(group)];
  return percents && Number(percents[name] ?? 0);
}

/** All that an entry says, by the names of the contract; a percentage as `messageOutcomePercents.delivered`. */
export const ENTRY_COLUMNS: readonly EntryColumn[] = [
  { name: "appId", read: ({ appId = "" }) => appId },
  { name: "date", read: ({ date = {} }) => isoDate(dayOfJson(date)) },
  { name: "analyticsLabel", read: ({ analyticsLabel = "" }) => analyticsLabel },
  { name: "countMessagesAccepted", read: ({ data }) => Number(data?.countMessagesAccepted ?? 0) },
  {
    name: "countNotificationsAccepted",
    read: ({ data }) => Number(data?.countNotificationsAccepted ?? 0),
  },
  ...CATEGORY_GROUPS.flatMap((group) =>
    group.categories.map(({ name }) => ({
      name: `${percentGroupName(group)}.${name}`,
      read: (entry: AndroidDeliveryDataJson) => percentIn(entry, group, name),
    })),
  ),
];
