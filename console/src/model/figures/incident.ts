import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import { labelText } from "#src/presentation/field-text.js";
import { type DayRange, daysOf } from "../days/day-range.js";
import { formatRange, longDay } from "../days/format-day.js";
import { OUTCOMES } from "../numbers/categories.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import type { DayMark } from "./chart-day.js";

/** A run of days on which the share of an outcome was out of its usual band. */
export interface Incident {
  readonly app: string;
  /** Empty for messages without a label; undefined for the whole app. */
  readonly label: string | undefined;
  /** The outcome that fell (`DELIVERED`) or rose (any other), as the contract names it. */
  readonly outcome: string;
  readonly firstDay: Day;
  /** Undefined while it goes on. */
  readonly lastDay: Day | undefined;
  /** Share to be expected on these days, in percent of the accepted messages. */
  readonly usual: number;
  /** The usual band around it, in percent. */
  readonly usualLow: number;
  readonly usualHigh: number;
  /** Share on these days, in percent of the accepted messages. */
  readonly observed: number;
  /** Messages beyond the usual ones: not delivered, or with the outcome that rose. */
  readonly excess: number;
}

/** Reads an incident from the service's JSON. */
export function incidentOf(json: AndroidIncidentJson): Incident {
  const { appId = "", analyticsLabel = "", wholeApp = false, outcome = "", startDate = {}, endDate } = json;
  const { usualPercent = 0, usualLowPercent = 0, usualHighPercent = 0 } = json;
  const { observedPercent = 0, excessMessageCount = "0" } = json;
  return {
    app: appId,
    label: wholeApp ? undefined : analyticsLabel,
    outcome,
    firstDay: dayOfJson(startDate),
    lastDay: endDate && dayOfJson(endDate),
    usual: Number(usualPercent),
    usualLow: Number(usualLowPercent),
    usualHigh: Number(usualHighPercent),
    observed: Number(observedPercent),
    excess: Number(excessMessageCount),
  };
}

/** Returns true if an incident lasted on a day. */
export const lasts = ({ firstDay, lastDay }: Incident, day: Day): boolean =>
  day >= firstDay && (lastDay === undefined || day <= lastDay);

/** The days of an incident; up to a last one while it goes on. */
export const daysOfIncident = ({ firstDay, lastDay }: Incident, last: Day): DayRange => ({
  first: firstDay,
  last: lastDay ?? Math.max(firstDay, last),
});

/** Ranks incidents by their messages beyond the usual ones, most first. */
export const rankIncidents = (incidents: readonly Incident[]): readonly Incident[] =>
  [...incidents].sort((a, b) => b.excess - a.excess);

/** Ranks incidents that go on before those that have ended, each by messages beyond the usual ones. */
export const byUrgency = (incidents: readonly Incident[]): readonly Incident[] =>
  [...rankIncidents(incidents)].sort((a, b) => Number(isOver(a)) - Number(isOver(b)));

const isOver = ({ lastDay }: Incident): boolean => lastDay !== undefined;

/** Names the label of an incident. */
export const subjectText = ({ label }: Incident): string =>
  label === undefined ? "The whole app" : labelText(label);

/** Says what fell or rose, and when: `promo fell on Nov 10, 2026 and has not recovered`. */
export function eventText(incident: Incident): string {
  const { outcome, firstDay, lastDay } = incident;
  const change = outcome === "DELIVERED" ? "fell" : `had more messages ${outcomeText(outcome)}`;
  const since = `${longDay(firstDay)} and has not recovered`;
  const when = lastDay === undefined ? since : formatRange({ first: firstDay, last: lastDay });
  return `${subjectText(incident)} ${change} on ${when}`;
}

/** The figures of an incident: `45.1%, was 89.9%; about 281 messages more than usual were not delivered`. */
export const figuresText = ({ outcome, usual, observed, excess }: Incident): string =>
  `${formatPercent(observed)}, was ${formatPercent(usual)}; about ${formatCount(excess)} messages more than usual` +
  (outcome === "DELIVERED" ? " were not delivered" : "");

/** The title of the category that an outcome counts, within a sentence: `dropped (expired)`. */
function outcomeText(outcome: string): string {
  const name = outcome.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const category = OUTCOMES.categories.find((one) => one.name === name);
  return (category?.title ?? name).toLowerCase().replace(/: (.*)/, " ($1)");
}

/** Incidents of one day that its mark names. */
const NAMED = 2;

/**
 * Marks the days of a range on which incidents lasted.
 * @param incidents the most urgent first
 */
export const marksOf = (incidents: readonly Incident[], range: DayRange): readonly DayMark[] =>
  daysOf(range).flatMap((day) => {
    const lasting = incidents.filter((incident) => lasts(incident, day));
    if (lasting.length === 0) return [];
    const named = lasting.slice(0, NAMED).map((incident) => `${eventText(incident)}.`);
    if (lasting.length > NAMED) named.push(`More incidents: ${lasting.length - NAMED}.`);
    return [{ day, text: named.join(" "), isStart: lasting.some(({ firstDay }) => firstDay === day) }];
  });
