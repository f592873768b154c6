import { toJson } from "@bufbuild/protobuf";
import { type AnnotationList, annotationMessage, dayOfAnnotation } from "../annotations/annotations.js";
import { AnnotationSchema } from "../gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import { AndroidIncidentSchema } from "../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type IdentifiedIncident, incidentMessage } from "../incidents/list/app-incident.js";
import type { ProjectDays } from "../incidents/list/project-days.js";
import { type Day, WEEK } from "../model/day.js";
import type { IsMirrored, Project, ProjectNumber } from "../model/names.js";
import type { AppDay, MissedTarget, ReportData } from "../presentation/weekly-report.js";
import type { ProjectResources } from "../registry/project-resources.js";
import type { Timed } from "../registry/resource-methods.js";
import type { EntryFilter } from "../store/delivery-data-store.js";
import type { Store } from "../store/store.js";
import { type Messages, messageSums } from "../targets/message-sums.js";
import { missedDays } from "../targets/target-results.js";
import type { TargetValues } from "../targets/targets.js";

type DayMessages = Messages & { readonly day: Day };
type LabelOfApp = { readonly appId: string; readonly label: string };

/** More apps than any project has. Only two numbers of each app stay in memory. */
const MAX_APPS = 1_000_000;

export interface ReportSources {
  readonly store: Pick<Store, "sumEntries" | "staleDays">;
  readonly days: Pick<ProjectDays, "of">;
  readonly isMirrored: IsMirrored;
  readonly targets: Pick<ProjectResources<Timed<TargetValues>>, "list">;
  readonly annotations: AnnotationList;
}

export interface ReportedWeek {
  readonly project: Project;
  readonly monday: Day;
  /** The last listed day: the week's Sunday, or later. */
  readonly until: Day;
  /** True if the incidents include all events of the last listed day that were imported when the evaluation began. */
  readonly isComplete: boolean;
  /** Incidents of all apps on any day of the week or the week before. */
  readonly incidents: readonly IdentifiedIncident[];
}

/**
 * Reads data of a week and the week before.
 *
 * @returns `undefined` if there are no messages, or if the week may not be complete yet.
 * @throws StoreUnavailableError if the data cannot be read; the reason of `signal`.
 */
export async function readReportData(
  sources: ReportSources,
  { project, monday, until, isComplete, incidents }: ReportedWeek,
  signal: AbortSignal,
): Promise<ReportData | undefined> {
  const { number } = project;
  const sunday = monday + WEEK - 1;
  const stale = await staleDays(sources, number, monday);
  // Sunday may still have late events, or less than its usual messages.
  const isSettled = async () =>
    isComplete && !stale.includes(sunday) && (await isUsual(sources, number, sunday, signal));
  // If it is not settled yet, a later evaluation sends the report.
  if (until === sunday && !(await isSettled())) return undefined;
  const { days, excludedEntries } = await readDays(sources, number, monday, signal);
  const withEntries = new Set(days.map(({ day }) => day));
  // A stale day without entries has imported events that no rollup has counted yet.
  if (days.length === 0 || stale.some((day) => !withEntries.has(day))) return undefined;
  const annotations = (await sources.annotations.list(number))
    .map((annotation) => ({ annotation, day: dayOfAnnotation(annotation.value) }))
    .filter(({ day }) => day >= monday && day <= sunday)
    .sort((a, b) => a.day - b.day);
  const targets = (await sources.targets.list(number)).map(({ value }) => value);
  return {
    project: project.id,
    monday,
    days,
    excludedEntries,
    incidents: incidents.map((incident) => toJson(AndroidIncidentSchema, incidentMessage(incident))),
    missedTargets: await readMissedTargets(targets, days, monday, (of) =>
      readLabelDays(sources.store, { project: number, monday, ...of }, signal),
    ),
    annotations: annotations.map(({ annotation }) => toJson(AnnotationSchema, annotationMessage(annotation))),
  };
}

/** Returns true if a week's Sunday, the last listed day, has about as many messages as usual. */
async function isUsual(
  { days }: ReportSources,
  project: ProjectNumber,
  sunday: Day,
  signal: AbortSignal,
): Promise<boolean> {
  const { lastDay } = await days.of({ project, until: sunday }, signal);
  return lastDay === sunday;
}

/** Returns days in a week and the week before that have events since their last rollup. */
async function staleDays(
  { store }: ReportSources,
  project: ProjectNumber,
  monday: Day,
): Promise<readonly Day[]> {
  const newest = await store.staleDays({ project, before: monday + WEEK, limit: 2 * WEEK });
  return newest.filter((day) => day >= monday - WEEK);
}

/** Reads the messages of all apps in a week and the week before, one day at a time, so that little is in memory. */
async function readDays(
  { store, isMirrored }: ReportSources,
  project: ProjectNumber,
  monday: Day,
  signal: AbortSignal,
): Promise<Pick<ReportData, "days" | "excludedEntries">> {
  const days: AppDay[] = [];
  const originals = isMirrored(project);
  let excludedEntries = 0;
  for (let day = monday - WEEK; day < monday + WEEK; day++) {
    const filter: EntryFilter = { kind: "day", comparison: "=", day };
    const groupBy = new Set(["app"] as const);
    const query = { project, until: day, filter, groupBy, limit: MAX_APPS, originals };
    const sums = await store.sumEntries(query, signal);
    for (const { withoutCounts = [] } of day < monday ? [] : sums)
      for (const entries of withoutCounts) excludedEntries += entries;
    // All entries of a mirrored app may lack figures.
    for (const { appId, accepted, delivered } of messageSums(sums))
      if (appId !== undefined && accepted > 0) days.push({ appId, day, accepted, delivered });
  }
  return originals ? { days, excludedEntries } : { days };
}

/**
 * Evaluates the targets on each day of a week, by the rule for the last complete day.
 *
 * @param labelDays reads the messages with a label of an app on each day of the week.
 */
export async function readMissedTargets(
  targets: readonly TargetValues[],
  days: readonly AppDay[],
  monday: Day,
  labelDays: (of: LabelOfApp) => Promise<readonly DayMessages[]>,
): Promise<readonly MissedTarget[]> {
  const found: MissedTarget[] = [];
  for (const { appId, label, deliveredPercent } of targets) {
    const ofWeek =
      label === undefined
        ? days.filter((each) => each.appId === appId && each.day >= monday)
        : await labelDays({ appId, label });
    const missed = missedDays({ deliveredPercent }, ofWeek);
    if (missed.length > 0) found.push({ appId, label, delivered: deliveredPercent, missed });
  }
  return found;
}

/** Reads the messages with a label of an app, on each day of a week. */
async function readLabelDays(
  store: ReportSources["store"],
  { project, appId, label, monday }: LabelOfApp & { readonly project: ProjectNumber; readonly monday: Day },
  signal: AbortSignal,
): Promise<readonly DayMessages[]> {
  const operands: readonly EntryFilter[] = [
    { kind: "day", comparison: ">=", day: monday },
    { kind: "label", comparison: "=", label },
  ];
  const sums = await store.sumEntries(
    {
      project,
      appId,
      until: monday + WEEK - 1,
      filter: { kind: "and", operands },
      groupBy: new Set(["day"]),
      limit: WEEK,
    },
    signal,
  );
  return messageSums(sums).flatMap(({ day, ...messages }) =>
    day === undefined ? [] : [{ ...messages, day }],
  );
}
