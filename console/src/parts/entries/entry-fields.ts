import { percentGroupName } from "#console/model/figures/figure-fields.js";
import { CATEGORY_GROUPS, type CategoryGroup } from "#console/model/numbers/categories.js";
import type { CountName } from "#console/model/numbers/counts.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { COUNT_NAMES, dateText, knownCount } from "#src/presentation/field-text.js";

/** A column of the file. `read` returns undefined if the entry has no value. */
export interface EntryColumn {
  readonly name: string;
  readonly read: (entry: AndroidDeliveryDataJson) => string | number | undefined;
}

/** A percentage of an entry. JSON leaves out percentages of 0, and groups whose denominator is 0. */
export function percentIn(
  { data }: AndroidDeliveryDataJson,
  group: CategoryGroup,
  name: CountName,
): number | undefined {
  const percents: Readonly<Record<string, unknown>> | undefined = data?.[percentGroupName(group)];
  return percents && Number(percents[name] ?? 0);
}

/** Every field of an entry, named as in the contract; percentages as `messageOutcomePercents.delivered`. */
export const ENTRY_COLUMNS: readonly EntryColumn[] = [
  { name: "appId", read: ({ appId = "" }) => appId },
  { name: "date", read: ({ date }) => dateText(date) },
  { name: "analyticsLabel", read: ({ analyticsLabel = "" }) => analyticsLabel },
  ...COUNT_NAMES.map((name) => ({
    name,
    read: ({ data }: AndroidDeliveryDataJson) => knownCount(name, data),
  })),
  ...CATEGORY_GROUPS.flatMap((group) =>
    group.categories.map(({ name }) => ({
      name: `${percentGroupName(group)}.${name}`,
      read: (entry: AndroidDeliveryDataJson) => percentIn(entry, group, name),
    })),
  ),
];
