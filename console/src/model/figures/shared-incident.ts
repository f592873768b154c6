import { groupBy } from "#src/model/collections.js";
import { formatCount } from "../numbers/format-number.js";
import { byUrgency, eventText, excessText, type Incident, isOfShare } from "./incident.js";

/** Incidents of the same kind that began on the same day in one or more apps, for example of one label. */
export interface SharedIncident {
  /** The incident with the most excess messages. */
  readonly worst: Incident;
  /** Apps with the incident, most excess messages first. */
  readonly apps: readonly string[];
  /** Excess messages in all apps. */
  readonly excess: number;
}

/** Joins incidents of several apps if they have the same label, outcome and first day, worst first. */
export function sharedIncidentsOf(incidents: readonly Incident[]): readonly SharedIncident[] {
  const groups = groupBy(byUrgency(incidents), ({ kind, isOfProject, label, outcome, firstDay }) =>
    JSON.stringify([kind, isOfProject, label ?? null, outcome, firstDay]),
  );
  const shared = [...groups.values()].flatMap((own) => {
    const [worst] = own;
    if (worst === undefined) return [];
    const apps = [...new Set(own.map(({ app }) => app))];
    return [{ worst, apps, excess: own.reduce((sum, { excess }) => sum + excess, 0) }];
  });
  return shared.sort(
    (a, b) => Number(b.worst.kind === "SILENCE") - Number(a.worst.kind === "SILENCE") || b.excess - a.excess,
  );
}

/** Describes an incident of apps: `promo fell on Nov 10, 2026 and has not recovered`, and `, in 4 apps. About 281 more …`. */
export function sharedText(
  { worst, apps, excess }: SharedIncident,
  nameOf: (app: string) => string,
): readonly [event: string, rest: string] {
  const where = worst.isOfProject
    ? ""
    : `, in ${apps.length === 1 ? nameOf(worst.app) : `${formatCount(apps.length)} apps`}`;
  const size = isOfShare(worst) ? ` ${excessText({ ...worst, excess })}.` : "";
  return [eventText(worst), `${where}.${size}`];
}
