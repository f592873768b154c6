import type { AndroidIncidentJson } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { dateText } from "../../presentation/date-text.js";
import { surePercent } from "../support/sure-percent.js";
import type { Column } from "../support/text-table.js";

/** The columns of a table of incidents. */
export const INCIDENT_COLUMNS: readonly Column<AndroidIncidentJson>[] = [
  { title: "since", leastWidth: 10, text: ({ startDate }) => dateText(startDate) },
  {
    title: "until",
    leastWidth: 10,
    text: ({ endDate }) => (endDate === undefined ? "ongoing" : dateText(endDate)),
  },
  { title: "app", leastWidth: 16, text: ({ appId }) => appId ?? "" },
  // Cannot be confused with a label: labels have no parentheses.
  {
    title: "label",
    leastWidth: 12,
    text: ({ wholeApp, analyticsLabel }) => (wholeApp ? "(whole app)" : analyticsLabel || "(none)"),
  },
  {
    title: "what",
    leastWidth: 12,
    text: ({ outcome = "" }) => `${outcome.toLowerCase()} ${outcome === "DELIVERED" ? "fell" : "rose"}`,
  },
  { title: "usual %", text: ({ usualPercent }) => percent(usualPercent) },
  {
    title: "band",
    text: ({ usualLowPercent, usualHighPercent }) =>
      `${percent(usualLowPercent)}-${percent(usualHighPercent)}`,
  },
  { title: "observed %", text: ({ observedPercent }) => percent(observedPercent) },
  { title: "messages", text: ({ excessMessageCount }) => excessMessageCount ?? "0" },
  { title: "sure %", text: ({ confidence }) => percent(surePercent(Number(confidence ?? 0))) },
  { title: "id", leastWidth: 16, text: ({ incidentId }) => incidentId ?? "" },
];

const percent = (value: unknown): string => Number(value ?? 0).toFixed(2);
