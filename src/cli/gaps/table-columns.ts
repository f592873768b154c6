import type { AndroidMirrorGapJson } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { dateText } from "../../presentation/date-text.js";
import type { Column } from "../support/text-table.js";

/** The columns of a table of gaps. */
export const GAP_COLUMNS: readonly Column<AndroidMirrorGapJson>[] = [
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  { title: "what", leastWidth: 12, text: ({ kind = "" }) => kind.toLowerCase().replaceAll("_", " ") },
  { title: "date", leastWidth: 10, text: ({ date }) => (date === undefined ? "-" : dateText(date)) },
  {
    title: "given until",
    leastWidth: 10,
    text: ({ expireDate }) => (expireDate === undefined ? "-" : dateText(expireDate)),
  },
  { title: "since", leastWidth: 20, text: ({ startTime = "" }) => startTime },
  { title: "problem", leastWidth: 16, text: ({ problem = "-" }) => problem },
];
