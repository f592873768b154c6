import { byBytes } from "../model/by-bytes.js";
import type { Day } from "../model/day.js";
import { alarmLevels } from "./alarm-level.js";
import { countsOfOthers } from "./counts-of-others.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { type AppDay, JudgedLabel } from "./judged-label.js";
import { JudgedPart } from "./judged-part.js";
import { SeriesTable } from "./series-table.js";
import { START_DAYS } from "./start-of-history.js";
import { weekdayOf } from "./weekday.js";
import { WholeApp } from "./whole-app.js";

/** Days of labels between pauses: less than a millisecond. */
const DAYS_WITHOUT_PAUSE = 512;
/** Labels whose days are judged together. */
const LABELS_A_STEP = 64;
/** Labels that are opened between pauses. */
const LABELS_WITHOUT_PAUSE = 16;

/**
 * Finds the incidents of an app, of the whole app and of its labels, newest start first, then the whole app before its
 * labels by bytes. The rule is in docs/incidents.md. The same counts give the same incidents.
 *
 * It computes for up to hundreds of milliseconds, and yields after about a millisecond each, for others to run.
 *
 * @param app Counts of the whole app. Messages whose label is not among `labels` count here alone.
 * @param labels Counts of each label to be judged; the empty one is of messages without a label.
 * @param lastDay Last listed day. Incidents whose label has no messages for weeks before it have ended.
 */
export function* findIncidents(
  app: DailyCounts,
  labels: ReadonlyMap<string, DailyCounts>,
  lastDay: Day,
): Generator<void, Incident[]> {
  const found: Incident[] = [];
  const table = new SeriesTable((labels.size + 1) * OUTCOMES.length);
  const judged: JudgedLabel[] = [];
  const add = (label: string | undefined, counts: DailyCounts, incidents: Incident[]): void => {
    if (counts.days.length >= START_DAYS) judged.push(new JudgedLabel(label, counts, table, incidents));
  };
  for (const [label, counts] of labels) {
    add(label, counts, found);
    if (judged.length % LABELS_WITHOUT_PAUSE === 0) yield;
  }
  const labelCounts = judged.map(({ history }) => history.counts);
  // Messages of other labels tell of the whole app, not of a label.
  add(undefined, yield* countsOfOthers(app, labelCounts), []);
  if (judged.length === 0) return [];

  const whole = yield* WholeApp.of(
    app,
    judged.map(({ history }) => history),
  );
  const wholePart = new JudgedPart(undefined, whole, found, () => {
    for (const { part } of judged) part.acceptAside();
  });
  const appLevels = alarmLevels(1);
  const firstDay = app.days[0] ?? 0;
  for (const label of judged) label.begin(firstDay, weekdayOf(firstDay), whole);
  const steps = Array.from({ length: Math.ceil(judged.length / LABELS_A_STEP) }, (_, step) =>
    judged.slice(step * LABELS_A_STEP, (step + 1) * LABELS_A_STEP),
  );
  let work = 0;
  for (const [index, day] of app.days.entries()) {
    const nextDay = app.days[index + 1] ?? Number.NaN;
    const weekday = weekdayOf(day);
    wholePart.passTo(day);
    const present = whole.begin(weekday);
    const isOut = wholePart.judge(day, appLevels, 1, undefined);
    if (!isOut) whole.learn(weekday, appLevels);
    const levels = alarmLevels(Math.max(1, present));
    const shared = { isOut, shifts: whole.shifts };
    const today = { day, weekday, levels, shared, judged: labelCounts.length };
    for (const step of steps) {
      judgeLabels(step, today, nextDay, whole);
      work += step.length;
      if (work < DAYS_WITHOUT_PAUSE) continue;
      work = 0;
      yield;
    }
  }
  for (const { part } of judged) part.finish(lastDay);
  wholePart.finish(lastDay);
  return found.sort(byNewestStart);
}

/** Each label ends a day and begins the next one at once, while the processor has it at hand. */
function judgeLabels(labels: readonly JudgedLabel[], today: AppDay, nextDay: Day, whole: WholeApp): void {
  const nextWeekday = weekdayOf(nextDay);
  for (const label of labels) {
    label.end(today);
    label.begin(nextDay, nextWeekday, whole);
  }
}

function byNewestStart(a: Incident, b: Incident): number {
  return (
    b.startDay - a.startDay ||
    Number(a.label !== undefined) - Number(b.label !== undefined) ||
    byBytes(a.label ?? "", b.label ?? "") ||
    OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)
  );
}
