import type { NotifiedIncident, NotifiedIncidents } from "./notified-incident.js";
import type { NotifiedReport, NotifiedReports } from "./notified-report.js";
import type { NotifiedTarget, NotifiedTargets } from "./notified-target.js";

/** Outcome of an attempt to send a state, named after the field that records it. */
export type Outcome = "delivered" | "givenUp" | "isUncertain";

/** Records an attempt to send an incident's state, even if the state has changed since. */
export function afterIncidentAttempt(
  known: NotifiedIncidents | undefined,
  sent: NotifiedIncident,
  outcome: Outcome,
): NotifiedIncidents | undefined {
  const current = known?.incidents.find(({ key }) => key === sent.key);
  if (known === undefined || (current === undefined && outcome === "givenUp")) return undefined;
  // The incident can have been dropped because the receiver did not know it. After this attempt, the receiver can
  // know it.
  const row = current ?? { ...sent, state: "withdrawn", change: sent.change + 1 };
  const others = known.incidents.filter(({ key }) => key !== sent.key);
  return { ...known, incidents: [...others, { ...row, ...fieldsOf(outcome, sent.state) }] };
}

/** Records an attempt to send a target's state, even if the state has changed since. */
export function afterTargetAttempt(
  known: NotifiedTargets | undefined,
  sent: NotifiedTarget,
  outcome: Outcome,
): NotifiedTargets | undefined {
  const current = known?.targets.find(({ key }) => key === sent.key);
  // The target can have been deleted.
  if (known === undefined || current === undefined) return undefined;
  const { skipped, ...row } = current;
  // After this attempt, the receiver can know that the target was missed.
  const kept = outcome === "givenUp" && skipped !== undefined ? { skipped } : {};
  const others = known.targets.filter(({ key }) => key !== sent.key);
  return { targets: [...others, { ...row, ...kept, ...fieldsOf(outcome, sent.state) }] };
}

/** Records an attempt to send a report. Its text is no longer needed after the last attempt. */
export function afterReportAttempt(
  known: NotifiedReports | undefined,
  sent: NotifiedReport,
  outcome: Outcome,
): NotifiedReports | undefined {
  if (known === undefined) return undefined;
  const { report, ...row } = { ...sent, ...fieldsOf(outcome, sent.state) };
  const after = outcome === "isUncertain" && report !== undefined ? { ...row, report } : row;
  return { reports: known.reports.map((each) => (each.key === sent.key ? after : each)) };
}

const fieldsOf = <S extends string>(outcome: Outcome, state: S) =>
  outcome === "isUncertain" ? { isUncertain: true } : { [outcome]: state };
