import { Chance } from "./chance.js";
import {
  type Columns,
  type History,
  type PlantedFault,
  randomHistory,
  until,
  type Wishes,
} from "./random-traffic.js";

/** Minimum number of days with data before the rule reports anything about a label. */
const FIRST_DAYS = 14;
/** Maximum number of days to wait for a detection. */
const PATIENCE_DAYS = 14;

/** An incident as a finder reports it; `label` is undefined for the whole app. */
export interface Finding {
  readonly label: string | undefined;
  readonly outcome: string;
  readonly startDay: number;
  readonly endDay?: number;
}

/** The detection rule under test. */
export type Finder = (
  app: Columns,
  labels: ReadonlyMap<string, Columns>,
  lastDay: number,
) => readonly Finding[];

/** Counts for evaluating a finder. */
export interface Score {
  faults: number;
  found: number;
  foundInTwoDays: number;
  /** Days from the start of each detected problem to its first report: 1 is the same day. */
  readonly delays: number[];
  /** Findings on days with a problem of their label, or of all. */
  trueFindings: number;
  falseFindings: number;
  /** Evaluated days of labels without a problem. */
  quietDays: number;
  /** Differences between reported and true first days of detected problems. */
  readonly startErrors: number[];
}

function emptyScore(): Score {
  return {
    faults: 0,
    found: 0,
    foundInTwoDays: 0,
    delays: [],
    trueFindings: 0,
    falseFindings: 0,
    quietDays: 0,
    startErrors: [],
  };
}

/** Adds a finder's reports about a history to a score, with the delay until each first report. */
function scoreHistory(find: Finder, history: History, score: Score): void {
  const { app, labels, lastDay, faults } = history;
  for (const finding of find(app, labels, lastDay)) {
    if (faults.some((fault) => concerns(finding, fault, lastDay))) score.trueFindings++;
    else score.falseFindings++;
  }
  for (const [label, { days }] of labels) {
    for (const [row, day] of days.entries()) {
      if (row >= FIRST_DAYS && !faults.some((fault) => isOn(fault, label, day))) score.quietDays++;
    }
  }
  for (const fault of faults) {
    score.faults++;
    for (let delay = 1; delay <= PATIENCE_DAYS && fault.from + delay - 1 <= lastDay; delay++) {
      const known = until(history, fault.from + delay - 1);
      const said = find(known.app, known.labels, known.lastDay).find(
        (finding) => finding.label === fault.label && concerns(finding, fault, known.lastDay),
      );
      if (said === undefined) continue;
      score.found++;
      if (delay <= 2) score.foundInTwoDays++;
      score.delays.push(delay);
      score.startErrors.push(said.startDay - fault.from);
      break;
    }
  }
}

function isOn({ label, from, to }: PlantedFault, ofLabel: string, day: number): boolean {
  return (label === undefined || label === ofLabel) && day >= from && day <= to;
}

/** Returns true if a finding matches a problem's days and label. A problem of the app affects all labels. */
function concerns(finding: Finding, fault: PlantedFault, lastDay: number): boolean {
  const isOfLabel = fault.label === undefined || finding.label === fault.label;
  return isOfLabel && finding.startDay <= fault.to && (finding.endDay ?? lastDay) >= fault.from;
}

/** Scores `count` random histories with the same properties. */
export function scoreHistories(
  find: Finder,
  seed: number,
  count: number,
  wishes: (chance: Chance) => Wishes,
): Score {
  const score = emptyScore();
  for (let index = 0; index < count; index++) {
    const chance = new Chance(seed + index * 7919);
    scoreHistory(find, randomHistory(chance, wishes(chance)), score);
  }
  return score;
}
