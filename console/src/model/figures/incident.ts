import type { AndroidIncidentJson } from "../../../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type { Day } from "../../../../src/model/day.js";
import { dayOfJson } from "../days/day-json.js";
import { formatRange, longDay } from "../days/format-day.js";
import { OUTCOMES } from "../numbers/categories.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import { labelText } from "../view/label-text.js";

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
  /** Share on these days, in percent of the accepted messages. */
  readonly observed: number;
  /** Messages beyond the usual ones: not delivered, or with the outcome that rose. */
  readonly excess: number;
}

/** Reads an incident from the service's JSON. */
export function incidentOf(json: AndroidIncidentJson): Incident {
  const { appId = "", analyticsLabel = "", wholeApp = false, outcome = "", startDate = {}, endDate } = json;
  const { usualPercent = 0, observedPercent = 0, excessMessageCount = "0" } = json;
  return {
    app: appId,
    label: wholeApp ? undefined : analyticsLabel,
    outcome,
    firstDay: dayOfJson(startDate),
    lastDay: endDate && dayOfJson(endDate),
    usual: Number(usualPercent),
    observed: Number(observedPercent),
    excess: Number(excessMessageCount),
  };
}

/** Ranks incidents by their messages beyond the usual ones, most first. */
export const rankIncidents = (incidents: readonly Incident[]): readonly Incident[] =>
  [...incidents].sort((a, b) => b.excess - a.excess);

/** Names the label of an incident. */
export const subjectText = ({ label }: Incident): string =>
  label === undefined ? "The whole app" : labelText(label);

/** Says what happened, since when, and how many messages that makes: a sentence without its subject. */
export function incidentText({ outcome, firstDay, lastDay, usual, observed, excess }: Incident): string {
  const when =
    lastDay === undefined
      ? `since ${longDay(firstDay)}`
      : `on ${formatRange({ first: firstDay, last: lastDay })}`;
  return (
    `${formatPercent(observed)} ${outcomeText(outcome)} ${when}, was ${formatPercent(usual)}: ` +
    `about ${formatCount(excess)} messages more than usual${outcome === "DELIVERED" ? " were not delivered" : ""}`
  );
}

/** The title of the category that an outcome counts, within a sentence: `dropped (expired)`. */
function outcomeText(outcome: string): string {
  const name = outcome.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const category = OUTCOMES.categories.find((one) => one.name === name);
  return (category?.title ?? name).toLowerCase().replace(/: (.*)/, " ($1)");
}
