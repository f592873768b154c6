import { Chance } from "./chance.js";
import {
  type Columns,
  type History,
  type PlantedFault,
  randomHistory,
  until,
  type Wishes,
} from "./random-traffic.js";

/** Days of a label that are needed before anything is said of it. */
const FIRST_DAYS = 14;
/** Most days that a fault is waited for. */
const PATIENCE_DAYS = 14;

/** An incident as a finder reports it; `label` is undefined for the whole app. */
export interface Finding {
  readonly label: string | undefined;
  readonly outcome: string;
  readonly startDay: number;
  readonly endDay?: number;
}

/** The rule that is measured. */
export type Finder = (
  app: Columns,
  labels: ReadonlyMap<string, Columns>,
  lastDay: number,
) => readonly Finding[];

/** Counts that rate a finder. */
export interface Score {
  faults: number;
  found: number;
  foundInTwoDays: number;
  /** Days from the first of each found fault to the first on which it was said: 1 is the same day. */
  readonly delays: number[];
  /** Findings on days with a fault of their label, or of all. */
  trueFindings: number;
  falseFindings: number;
  /** Judged days of labels without fault. */
  quietDays: number;
  /** Differences of the first day said from the true one, of found faults. */
  readonly startErrors: number[];
}

export function emptyScore(): Score {
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

/** Adds to a score what a finder says of a history, and how soon it would have said it. */
export function scoreHistory(find: Finder, history: History, score: Score): void {
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

/** True if a finding is on days of a fault, and of its label; all labels feel a fault of the app. */
function concerns(finding: Finding, fault: PlantedFault, lastDay: number): boolean {
  const isOfLabel = fault.label === undefined || finding.label === fault.label;
  return isOfLabel && finding.startDay <= fault.to && (finding.endDay ?? lastDay) >= fault.from;
}

/** Scores `count` histories of the same wishes. */
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
