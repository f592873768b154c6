import { create } from "@bufbuild/protobuf";
import { DateSchema } from "../gen/google/type/date_pb.js";
import {
  type WeeklyReport,
  WeeklyReportSchema,
} from "../gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import type { IdentifiedIncident } from "../incidents/list/app-incident.js";
import type { IncidentWebhook } from "../incidents/webhooks/incident-webhook.js";
import { MAX_REPORTED } from "../limits/data-limits.js";
import { civilDate, type Day, mondayOf, WEEK } from "../model/day.js";
import type { Project } from "../model/names.js";
import { type ReportData, reportTotals, weeklyReport } from "../presentation/weekly-report.js";
import { type ReportSources, readReportData } from "./report-data.js";

export interface WeeklyReportParts extends ReportSources {
  readonly webhooks: readonly Pick<IncidentWebhook, "lacksReport" | "reported">[];
}

export interface EvaluatedProject {
  readonly project: Project;
  /** The last listed day. */
  readonly until: Day;
  /** True if the incidents include all events of the last listed day that were imported when the evaluation began. */
  readonly isComplete: boolean;
  /** Ongoing incidents of all apps, and ones that ended recently. */
  readonly incidents: readonly IdentifiedIncident[];
}

/**
 * Sends the report of the last week that has ended to each webhook that lacks it, once the week is complete. Weeks are
 * weeks of America/Los_Angeles, from Monday to Sunday.
 *
 * @throws StoreUnavailableError if the data cannot be read, or the reports cannot be recorded; the reason of `signal`.
 */
export async function sendWeeklyReport(
  { webhooks, ...sources }: WeeklyReportParts,
  { project, until, isComplete, incidents }: EvaluatedProject,
  signal: AbortSignal,
): Promise<void> {
  const monday = mondayOf(until - WEEK + 1);
  const lacking: (typeof webhooks)[number][] = [];
  for (const webhook of webhooks)
    if (await webhook.lacksReport(project.number, monday)) lacking.push(webhook);
  if (lacking.length === 0) return;
  const recent = incidents.filter(({ endDay }) => endDay === undefined || endDay >= monday - WEEK);
  const data = await readReportData(
    sources,
    { project, monday, until, isComplete, incidents: recent },
    signal,
  );
  if (data === undefined) return;
  const report = reportMessage(data);
  for (const webhook of lacking) await webhook.reported(project.number, monday, report);
}

function reportMessage(data: ReportData): WeeklyReport {
  const { accepted, delivered } = reportTotals(data);
  return create(WeeklyReportSchema, {
    firstDate: create(DateSchema, civilDate(data.monday)),
    lastDate: create(DateSchema, civilDate(data.monday + WEEK - 1)),
    acceptedMessageCount: BigInt(accepted),
    ...(delivered !== undefined && { deliveredPercent: delivered }),
    markdown: weeklyReport(data, MAX_REPORTED),
    fromPercentages: data.excludedEntries !== undefined,
  });
}
