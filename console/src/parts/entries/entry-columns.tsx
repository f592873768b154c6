import { longDay } from "#console/model/days/format-day.js";
import { CATEGORY_GROUPS } from "#console/model/numbers/categories.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import type { DateJson } from "#src/gen/google/type/date_pb.js";
import type { AndroidDeliveryDataJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dayOfJson } from "#src/model/day.js";
import { dateText, knownCount } from "#src/presentation/field-text.js";
import { LabelName } from "../label-name.js";
import { percentIn } from "./entries-file.js";

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

export const COLUMNS: readonly Column[] = [
  {
    id: "date",
    title: "Day",
    kind: "text",
    cellOf: ({ date }) => <time dateTime={dateText(date)}>{longDate(date)}</time>,
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
    cellOf: ({ data }) => knownText(knownCount("countMessagesAccepted", data)),
  },
  {
    id: "countNotificationsAccepted",
    title: "Notifications",
    meaning: "Accepted messages that carry a notification.",
    group: "Accepted",
    kind: "number",
    cellOf: ({ data }) => knownText(knownCount("countNotificationsAccepted", data)),
  },
  ...SHARES,
];

/** Formats a count, or a dash if it is unknown. */
const knownText = (count: string | undefined): string =>
  count === undefined ? "–" : formatCount(Number(count));

/** Formats a complete date in the viewer's style, and a partial date unchanged. */
const longDate = (date: DateJson = {}): string => (date.day ? longDay(dayOfJson(date)) : dateText(date));

/** Returns a unique key within an app. */
export const keyOf = ({ date, analyticsLabel = "" }: AndroidDeliveryDataJson): string =>
  `${dateText(date)} ${analyticsLabel}`;
