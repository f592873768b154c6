import type {
  AndroidDeliveryDataJson,
  MessageOutcomePercentsJson,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dateText } from "../../presentation/date-text.js";
import { knownCount } from "../../presentation/known-count.js";
import type { Column } from "../support/text-table.js";

type Outcome = keyof MessageOutcomePercentsJson;

/** The most useful columns; the other formats have all figures. */
export const TABLE_COLUMNS: readonly Column<AndroidDeliveryDataJson>[] = [
  { title: "date", leastWidth: 10, text: ({ date }) => dateText(date) },
  { title: "app", leastWidth: 16, text: ({ appId }) => appId ?? "" },
  // Cannot be confused with a label: labels have no parentheses.
  { title: "label", leastWidth: 12, text: ({ analyticsLabel }) => analyticsLabel || "(none)" },
  { title: "accepted", text: ({ data }) => knownCount("countMessagesAccepted", data) ?? "-" },
  outcome("delivered %", "delivered"),
  outcome("pending %", "pending"),
  outcome(
    "dropped %",
    "droppedTooManyPendingMessages",
    "droppedAppForceStopped",
    "droppedDeviceInactive",
    "droppedTtlExpired",
  ),
  outcome("collapsed %", "collapsed"),
  {
    title: "no delay %",
    text: ({ data }) => {
      const group = data?.deliveryPerformancePercents;
      return group === undefined ? "-" : percent(group.deliveredNoDelay);
    },
  },
  {
    title: "notifications",
    text: ({ data }) => knownCount("countNotificationsAccepted", data) ?? "-",
  },
];

/** A column for the sum of mutually exclusive outcomes, in percent. */
function outcome(title: string, ...outcomes: readonly Outcome[]): Column<AndroidDeliveryDataJson> {
  return {
    title,
    text: ({ data }) => {
      const group = data?.messageOutcomePercents;
      return group === undefined
        ? "-"
        : percent(outcomes.reduce((sum, each) => sum + Number(group[each] ?? 0), 0));
    },
  };
}

const percent = (value: unknown): string => Number(value ?? 0).toFixed(2);
