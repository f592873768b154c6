import type { AndroidDeliveryDataJson } from "../../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dayOfJson } from "../../model/days/day-json.js";
import { isoDate } from "../../model/days/day-range.js";
import { longDay } from "../../model/days/format-day.js";
import { CATEGORY_GROUPS } from "../../model/numbers/categories.js";
import { formatCount, formatPercent } from "../../model/numbers/format-number.js";
import type { TableColumn } from "../../ui/tables/table-column.js";
import { LabelName } from "../label-name.js";
import { percentIn } from "./entry-fields.js";

type Column = TableColumn<AndroidDeliveryDataJson>;

const SHARES = CATEGORY_GROUPS.flatMap((group) =>
  group.categories.map(
    ({ name, title, meaning }): Column => ({
      id: name,
      title,
      meaning,
      group: `${group.title}, ${group.of}`,
      kind: "number",
      cellOf: (entry) => formatPercent(percentIn(entry, group, name)),
    }),
  ),
);

/** A column for each field of an entry. */
export const COLUMNS: readonly Column[] = [
  {
    id: "date",
    title: "Day",
    kind: "text",
    cellOf: ({ date = {} }) => <time dateTime={isoDate(dayOfJson(date))}>{longDay(dayOfJson(date))}</time>,
  },
  {
    id: "label",
    title: "Label",
    kind: "text",
    cellOf: ({ analyticsLabel = "" }) => <LabelName label={analyticsLabel} />,
  },
  {
    id: "countMessagesAccepted",
    title: "Messages",
    meaning: "Accepted messages.",
    group: "Accepted",
    kind: "number",
    cellOf: ({ data }) => formatCount(Number(data?.countMessagesAccepted ?? 0)),
  },
  {
    id: "countNotificationsAccepted",
    title: "Notifications",
    meaning: "Accepted messages that carry a notification.",
    group: "Accepted",
    kind: "number",
    cellOf: ({ data }) => formatCount(Number(data?.countNotificationsAccepted ?? 0)),
  },
  ...SHARES,
];

/** Identifies an entry within an app. */
export const keyOf = ({ date = {}, analyticsLabel = "" }: AndroidDeliveryDataJson): string =>
  `${isoDate(dayOfJson(date))} ${analyticsLabel}`;
