import type { AnnotationJson } from "../gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import type { AndroidIncidentJson } from "../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { groupBy } from "../model/collections.js";
import { type Day, dayOfJson, formatDay, WEEK } from "../model/day.js";
import { differenceOf, type Sample, supportedVerdict, type Verdict } from "./difference.js";
import { dateText, labelText, numberOf } from "./field-text.js";
import { mirroredSumsText } from "./mirrored-sums.js";
import { FEW, percentOf } from "./shares.js";

export interface AppDay {
  readonly appId: string;
  readonly day: Day;
  readonly accepted: number;
  readonly delivered: number;
}

/** A target that some days of the week missed. */
export interface MissedTarget {
  readonly appId: string;
  /** Empty for messages without a label; undefined for the whole app. */
  readonly label: string | undefined;
  /** In percent of accepted messages. */
  readonly delivered: number;
  readonly missed: readonly Day[];
}

/** Data of a week and the week before it. */
export interface ReportData {
  readonly project: string;
  /** First day of the week, a Monday. */
  readonly monday: Day;
  /** Days of both weeks. */
  readonly days: readonly AppDay[];
  /** Incidents on any of these days. */
  readonly incidents: readonly AndroidIncidentJson[];
  readonly missedTargets: readonly MissedTarget[];
  /** Annotations of the week. */
  readonly annotations: readonly AnnotationJson[];
  /** Number of entries in the week that lack figures, for a mirrored project. Undefined for other projects. */
  readonly excludedEntries?: number | undefined;
}

/** Figures of an app, or of all apps, in a week. */
interface Figures {
  readonly accepted: number;
  readonly before: number;
  readonly delivered: number | undefined;
  /** Change of the delivered share since the week before, in percentage points. Undefined without earlier messages. */
  readonly change: number | undefined;
  readonly verdict: Verdict | undefined;
}

export const reportTotals = ({
  days,
  incidents,
  monday,
}: ReportData): Pick<Figures, "accepted" | "delivered"> => figuresOf(days, incidents, false, monday);

/**
 * Formats a week's report in Markdown.
 *
 * @param most maximum number of apps, incidents, missed targets and annotations, each.
 */
export function weeklyReport(data: ReportData, most = Number.POSITIVE_INFINITY): string {
  const { project, monday, days, missedTargets, annotations } = data;
  const total = figuresOf(days, data.incidents, false, monday);
  const apps = [...groupBy(days, ({ appId }) => appId)]
    .map(([appId, own]) => ({ appId, ...figuresOfApp(appId, own, data) }))
    .sort(worstFirst);
  const incidents = data.incidents.filter((incident) => lasts(incident, monday, monday + WEEK - 1));
  return [
    `# Delivery of ${escaped(project)}, ${formatDay(monday)} to ${formatDay(monday + WEEK - 1)}`,
    `${count(total.accepted)} accepted messages, ${percent(total.delivered)} delivered. The week before: ${count(total.before)} accepted messages. Delivered share: ${changeText(total)}.`,
    ...(data.excludedEntries === undefined ? [] : [mirroredSumsText(data.excludedEntries)]),
    "## Apps",
    apps.length === 0
      ? "No messages."
      : table(
          ["App", "Accepted", "Week before", "Delivered", "Change"],
          apps
            .slice(0, most)
            .map((app) => [
              escaped(app.appId),
              count(app.accepted),
              count(app.before),
              percent(app.delivered),
              changeText(app),
            ]),
        ),
    ...(apps.length > most ? [`Apps not listed: ${count(apps.length - most)}.`] : []),
    "A change is better or worse only if it is statistically significant, by the test of *Compare* in the console. If a week has too few days for the test, an incident of the whole app decides.",
    "## Incidents",
    list(incidents.map(incidentText), "No incidents.", most),
    "## Missed targets",
    list(missedTargets.map(missedText), "No target was missed.", most),
    "## Annotations",
    list(annotations.map(annotationLine), "No annotations.", most),
    "",
  ].join("\n\n");
}

function figuresOfApp(appId: string, days: readonly AppDay[], { incidents, monday }: ReportData): Figures {
  const own = incidents.filter((incident) => incident.appId === appId);
  const hasFallen = own.some(
    (incident) =>
      incident.wholeApp === true &&
      incident.outcome === "DELIVERED" &&
      lasts(incident, monday, monday + WEEK - 1),
  );
  return figuresOf(days, own, hasFallen, monday);
}

function figuresOf(
  days: readonly AppDay[],
  incidents: readonly AndroidIncidentJson[],
  hasFallen: boolean,
  monday: Day,
): Figures {
  const week = samplesOf(days, incidents, monday);
  const earlier = samplesOf(days, incidents, monday - WEEK);
  const [now, before] = [week, earlier].map((side) => ({
    of: side.reduce((sum, { of }) => sum + of, 0),
    count: side.reduce((sum, { count }) => sum + count, 0),
  })) as [Sums, Sums];
  const [delivered, deliveredBefore] = [percentOf(now.count, now.of), percentOf(before.count, before.of)];
  const change =
    delivered === undefined || deliveredBefore === undefined ? undefined : delivered - deliveredBefore;
  const isRated = change !== undefined && before.of >= FEW;
  return {
    accepted: now.of,
    before: before.of,
    delivered,
    change,
    verdict: isRated
      ? supportedVerdict({
          change,
          good: "up",
          isBeyondChance: differenceOf(earlier, week).isBeyondChance,
          hasFallen,
        })
      : undefined,
  };
}

type Sums = Pick<Sample, "count" | "of">;

/** Returns the messages of each day of a week, of all apps together. */
const samplesOf = (
  days: readonly AppDay[],
  incidents: readonly AndroidIncidentJson[],
  first: Day,
): readonly Sample[] =>
  Array.from({ length: WEEK }, (_, index) => {
    const day = first + index;
    const own = days.filter((each) => each.day === day);
    return {
      count: own.reduce((sum, { delivered }) => sum + delivered, 0),
      of: own.reduce((sum, { accepted }) => sum + accepted, 0),
      isUsual: !incidents.some((incident) => isOfShare(incident) && lasts(incident, day, day)),
    };
  });

/** Returns true if an incident has a day in a range. */
function lasts({ startDate = {}, endDate }: AndroidIncidentJson, first: Day, last: Day): boolean {
  return dayOfJson(startDate) <= last && (endDate === undefined || dayOfJson(endDate) >= first);
}

const isOfShare = ({ kind = "OUTCOME_SHARE" }: AndroidIncidentJson): boolean => kind === "OUTCOME_SHARE";

type AppFigures = Figures & { readonly appId: string };

/** Sorts apps that are worse first, by their fall, and then by messages. */
const worstFirst = (a: AppFigures, b: AppFigures): number => fallOf(a) - fallOf(b) || b.accepted - a.accepted;

const fallOf = ({ verdict, change = 0 }: Figures): number => (verdict === "worse" ? change : 0);

function changeText({ change, verdict }: Figures): string {
  if (change === undefined) return "no earlier messages";
  const points = `${change > 0 ? "+" : ""}${change.toFixed(1).replace("-", "−")} points`;
  return verdict === undefined ? points : `${points}, ${verdict}`;
}

function incidentText(incident: AndroidIncidentJson): string {
  const { appId = "", wholeApp, analyticsLabel, startDate, endDate, outcome = "", kind } = incident;
  const until = endDate === undefined ? "ongoing" : `to ${dateText(endDate)}`;
  const subject = `${escaped(appId)}, ${wholeApp ? "whole app" : `label ${escaped(labelText(analyticsLabel))}`}`;
  const figures = isOfShare(incident)
    ? `${outcome === "DELIVERED" ? "delivered fell" : `${escaped(outcome.toLowerCase())} rose`} to ${percent(numberOf(incident.observedPercent))}, usually ${percent(numberOf(incident.usualPercent))}`
    : `${kind?.toLowerCase()}: ${count(numberOf(incident.observedMessageCount))} messages, usually ${count(numberOf(incident.usualMessageCount))}`;
  return `${dateText(startDate)}, ${until}: ${subject}: ${figures}`;
}

const missedText = ({ appId, label, delivered, missed }: MissedTarget): string =>
  `${escaped(appId)}, ${label === undefined ? "whole app" : `label ${escaped(labelText(label))}`}: below ${percent(delivered)} on ${missed.map(formatDay).join(", ")}`;

const annotationLine = ({ date, text = "", appId }: AnnotationJson): string =>
  `${dateText(date)}: ${escaped(text)}${appId === undefined ? "" : ` (${escaped(appId)})`}`;

const count = (value: number): string => value.toLocaleString("en");

const percent = (value: number | undefined): string => (value === undefined ? "–" : `${value.toFixed(1)} %`);

function list(lines: readonly string[], none: string, most: number): string {
  if (lines.length === 0) return none;
  const more = lines.length > most ? [`Not listed: ${count(lines.length - most)}.`] : [];
  return [...lines.slice(0, most), ...more].map((line) => `* ${line}`).join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/** Escapes characters that have a meaning in Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>|#~&]/g, "\\$&");
