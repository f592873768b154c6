import { type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  type WeeklyReport,
  WeeklyReportSchema,
} from "../../gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import { type Day, formatDay } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { messageIdOf, messageParts, type NotifiedState, type WebhookMessage } from "./notified-incident.js";

/** Number of weeks that a webhook remembers, so that it gets no second report about them. */
const REMEMBERED_WEEKS = 60;

/** A weekly report with its delivery state for a webhook. */
export interface NotifiedReport extends NotifiedState<"weekly"> {
  /** First day of the week. */
  readonly monday: Day;
  /** The report in the API's format. Omitted once it is delivered or dropped. */
  readonly report?: JsonValue;
}

/** Weekly reports of a project with their delivery state. */
export interface NotifiedReports {
  readonly reports: readonly NotifiedReport[];
}

export interface ReportOfWeek {
  readonly monday: Day;
  readonly report: WeeklyReport;
  /** Time in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly newKey: () => string;
}

/** Returns true if a webhook knows a week's report. */
export const knowsWeek = (known: NotifiedReports | undefined, monday: Day): boolean =>
  known?.reports.some((row) => row.monday === monday) === true;

/** Adds a report. A week has at most one: returns `undefined` if it is known. */
export function withReport(
  before: NotifiedReports | undefined,
  { monday, report, now, newKey }: ReportOfWeek,
): NotifiedReports | undefined {
  if (knowsWeek(before, monday)) return undefined;
  const row: NotifiedReport = {
    key: newKey(),
    state: "weekly",
    change: 1,
    since: now,
    monday,
    report: toJson(WeeklyReportSchema, report),
  };
  const reports = [...(before?.reports ?? []), row].sort((a, b) => a.monday - b.monday);
  return { reports: reports.slice(-REMEMBERED_WEEKS) };
}

/** Returns the message about a week. The project and the report have the same format as in the API. */
export function reportWebhookMessage(to: Project, known: NotifiedReport): WebhookMessage {
  const { timestamp, project } = messageParts(to, known);
  const { monday, state, report } = known;
  const body = { type: `report.${state}`, timestamp, data: { id: formatDay(monday), project, report } };
  return { id: messageIdOf(known), body: JSON.stringify(body) };
}
