import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import { labelText, numberOf } from "#src/presentation/field-text.js";
import { type DayRange, daysOf } from "../days/day-range.js";
import { formatRange, longDay } from "../days/format-day.js";
import { OUTCOMES } from "../numbers/categories.js";
import { acceptedOf, type CountName, type Counts, countIn } from "../numbers/counts.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import { type Annotation, annotationOf, annotationText } from "./annotation.js";
import type { DayMark } from "./chart-day.js";

/** Consecutive days on which an outcome's share, or the number of messages, was outside its usual band. */
export interface Incident {
  readonly app: string;
  /** The unusual quantity: an outcome's share, or the number of messages. */
  readonly kind: IncidentKind;
  /** True for a silence of every app of the project. */
  readonly isOfProject: boolean;
  /** Empty for messages without a label; undefined for the whole app. */
  readonly label: string | undefined;
  /** The outcome that fell (`DELIVERED`) or rose (any other), by its name in the contract. Empty for other kinds. */
  readonly outcome: string;
  readonly firstDay: Day;
  /** Undefined while the incident is ongoing. */
  readonly lastDay: Day | undefined;
  /** Expected share on these days, in percent of accepted messages; for other kinds, the expected number of messages. */
  readonly usual: number;
  /** The usual band around it. */
  readonly usualLow: number;
  readonly usualHigh: number;
  /** Actual share on these days, in percent of accepted messages; for other kinds, the number of messages. */
  readonly observed: number;
  /** Excess messages: more than usual not delivered, or with the outcome that rose. For a silence or fall, the
   * messages that are missing; for a rise, 0. */
  readonly excess: number;
  /** The nearest annotation before its start, with its day in words. Empty if there is none. */
  readonly nearest: string;
}

/** A share that fell or rose; almost no messages; fewer or more messages than usual. */
export type IncidentKind = "OUTCOME_SHARE" | "SILENCE" | "FALL" | "RISE";

/** Returns true for an incident of an outcome's share. */
export const isOfShare = ({ kind }: Incident): boolean => kind === "OUTCOME_SHARE";

export function incidentOf(json: AndroidIncidentJson): Incident {
  const { appId = "", analyticsLabel = "", wholeApp = false, outcome = "", startDate = {}, endDate } = json;
  const { usualPercent = 0, usualLowPercent = 0, usualHighPercent = 0 } = json;
  const {
    observedPercent = 0,
    excessMessageCount = "0",
    kind = "OUTCOME_SHARE",
    wholeProject = false,
    nearestAnnotation,
  } = json;
  const isShare = kind === "OUTCOME_SHARE" || kind === "KIND_UNSPECIFIED";
  return {
    app: appId,
    kind: isShare ? "OUTCOME_SHARE" : kind,
    isOfProject: wholeProject,
    label: wholeApp ? undefined : analyticsLabel,
    outcome,
    firstDay: dayOfJson(startDate),
    lastDay: endDate && dayOfJson(endDate),
    usual: isShare ? Number(usualPercent) : numberOf(json.usualMessageCount),
    usualLow: isShare ? Number(usualLowPercent) : numberOf(json.usualLowMessageCount),
    usualHigh: isShare ? Number(usualHighPercent) : numberOf(json.usualHighMessageCount),
    observed: isShare ? Number(observedPercent) : numberOf(json.observedMessageCount),
    excess: kind === "RISE" ? 0 : Number(excessMessageCount),
    nearest: nearestAnnotation === undefined ? "" : nearestText(annotationOf(nearestAnnotation)),
  };
}

/** Returns true if a day belongs to an incident. */
export const lasts = ({ firstDay, lastDay }: Incident, day: Day): boolean =>
  day >= firstDay && (lastDay === undefined || day <= lastDay);

/** Returns a predicate for incidents of exactly the messages with some labels, or of the whole app if undefined. */
export const isAbout =
  (labels: readonly string[] | undefined) =>
  ({ label }: Incident): boolean =>
    labels === undefined ? label === undefined : labels.length === 1 && label === labels[0];

/**
 * Returns true if all days of an incident are in a range, so that its excess is that of the range.
 *
 * @param listed the last listed day, on which an ongoing incident ends
 */
export const isInside = ({ firstDay, lastDay }: Incident, range: DayRange, listed: Day): boolean =>
  firstDay >= range.first && (lastDay ?? listed) <= range.last;

/** Returns excess messages among some messages of an incident's label on its days. */
export function excessAmong({ outcome, usual }: Incident, counts: Counts): number {
  const expected = (usual / 100) * acceptedOf(counts);
  const seen = countIn(counts, nameOf(outcome));
  return Math.max(0, Math.round(outcome === "DELIVERED" ? expected - seen : seen - expected));
}

/** Sorts incidents: silences first, then by excess messages, largest first. */
export const rankIncidents = (incidents: readonly Incident[]): readonly Incident[] =>
  [...incidents].sort((a, b) => Number(isSilence(b)) - Number(isSilence(a)) || b.excess - a.excess);

const isSilence = ({ kind }: Incident): boolean => kind === "SILENCE";

/** Sorts ongoing incidents before ended ones, each by excess messages. */
export const byUrgency = (incidents: readonly Incident[]): readonly Incident[] =>
  [...rankIncidents(incidents)].sort((a, b) => Number(isOver(a)) - Number(isOver(b)));

/** Returns the label that lost most messages in an ongoing incident. Undefined if there is none. */
export const blamedLabelOf = (incidents: readonly Incident[]): string | undefined =>
  rankIncidents(incidents.filter(isOfShare)).find((each) => each.label !== undefined && !isOver(each))?.label;

/**
 * Returns the labels with incidents in a range among several labels, the ones that lost most messages first.
 *
 * @param labels labels in view, undefined for all. With a single label, there is nothing to compare.
 */
export const blamedLabelsOf = (
  incidents: readonly Incident[],
  { first, last }: DayRange,
  labels: readonly string[] | undefined,
): readonly string[] => {
  if (labels?.length === 1) return [];
  const blamed = rankIncidents(incidents.filter(isOfShare)).flatMap(({ label, firstDay, lastDay = last }) =>
    label !== undefined && firstDay <= last && lastDay >= first && labels?.includes(label) !== false
      ? [label]
      : [],
  );
  return [...new Set(blamed)];
};

const isOver = ({ lastDay }: Incident): boolean => lastDay !== undefined;

/** Returns an incident's label in words. */
const subjectText = ({ label, isOfProject }: Incident): string =>
  isOfProject ? "Every app in the project" : label === undefined ? "The whole app" : labelText(label);

/** Describes an incident: `promo fell on Nov 10, 2026 and has not recovered`. */
export function eventText(incident: Incident): string {
  const { firstDay, lastDay } = incident;
  const subject = `${subjectText(incident)} ${changeText(incident)}`;
  if (lastDay !== undefined) return `${subject} on ${formatRange({ first: firstDay, last: lastDay })}`;
  return isOfShare(incident)
    ? `${subject} on ${longDay(firstDay)} and has not recovered`
    : `${subject} since ${longDay(firstDay)}`;
}

function changeText({ kind, outcome, observed }: Incident): string {
  if (kind === "SILENCE") return observed === 0 ? "had no messages" : "had almost no messages";
  if (kind === "FALL") return "had fewer messages than usual";
  if (kind === "RISE") return "had more messages than usual";
  return outcome === "DELIVERED" ? "fell" : `had more ${outcomeText(outcome)} messages`;
}

const nearestText = (annotation: Annotation): string =>
  `${annotationText(annotation)} (${longDay(annotation.day)})`;

/** Describes an incident's figures and its nearest annotation: `45.1%, usually 89.9%. About 281 more messages than usual were not delivered`. */
export const figuresText = ({ nearest, ...incident }: Incident): string =>
  figuresOf(incident) + (nearest === "" ? "" : `. Annotation before it: ${nearest}`);

const figuresOf = ({ kind, outcome, usual, observed, excess }: Omit<Incident, "nearest">): string =>
  kind !== "OUTCOME_SHARE"
    ? `${formatCount(observed)} messages, usually ${formatCount(usual)}`
    : `${formatPercent(observed)}, usually ${formatPercent(usual)}. ${excessText({ outcome, excess })}`;

/** Describes excess messages: `About 281 more messages than usual were not delivered`. */
export const excessText = ({ outcome, excess }: Pick<Incident, "outcome" | "excess">): string =>
  `About ${formatCount(excess)} more messages than usual were ` +
  (outcome === "DELIVERED" ? "not delivered" : outcomeText(outcome));

/**
 * Returns a note that an incident's figures are for the whole app, if the view selects labels. Empty if the incident is
 * about exactly the messages in view.
 */
export const scopeText = ({ label }: Incident, labels: readonly string[] | undefined): string =>
  labels === undefined || label !== undefined ? "" : " These figures are for the whole app, with all labels.";

/** Returns an outcome in words for use in a sentence: `dropped (expired)`. */
function outcomeText(outcome: string): string {
  const name = nameOf(outcome);
  const category = OUTCOMES.categories.find((one) => one.name === name);
  return (category?.title ?? name).toLowerCase().replace(/: (.*)/, " ($1)");
}

/** Returns an outcome's count name: `droppedTtlExpired` for `DROPPED_TTL_EXPIRED`. */
const nameOf = (outcome: string): CountName =>
  outcome.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CountName;

/** Maximum number of incidents that a day's mark names. */
const NAMED = 2;

/** Returns marks for days with incidents. @param incidents most urgent first */
export const marksOf = (incidents: readonly Incident[], range: DayRange): readonly DayMark[] =>
  daysOf(range).flatMap((day) => {
    const lasting = incidents.filter((incident) => lasts(incident, day));
    if (lasting.length === 0) return [];
    const named = lasting.slice(0, NAMED).map((incident) => `${eventText(incident)}.`);
    if (lasting.length > NAMED) named.push(`More incidents: ${lasting.length - NAMED}.`);
    const starts = lasting.filter(({ firstDay }) => firstDay === day).map(subjectText);
    return [{ day, text: named.join(" "), starts: [...new Set(starts)] }];
  });
