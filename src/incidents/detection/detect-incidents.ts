import { byBytes } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { countsOfOthers, type DailyCounts, OUTCOMES, weekdayOf } from "./daily-counts.js";
import { EvaluatedPart, type Shared } from "./evaluated-part.js";
import type { Incident } from "./incident.js";
import { LabelHistory } from "./label-history.js";
import { alarmLevels } from "./scores.js";
import { SeriesTable } from "./series-table.js";
import { START_DAYS } from "./start-of-history.js";
import { WholeApp } from "./whole-app.js";

/** Days of labels between pauses: less than a millisecond. */
const DAYS_WITHOUT_PAUSE = 512;
/** Labels whose days are evaluated together. */
const LABELS_A_STEP = 64;
/** Labels that are opened between pauses. */
const LABELS_WITHOUT_PAUSE = 16;

/**
 * Finds the incidents of an app, of the whole app and of its labels, newest start first, then the whole app before its
 * labels by bytes. The rule is in docs/concepts/incidents.md. The same counts give the same incidents.
 *
 * It computes for up to hundreds of milliseconds, and yields after about a millisecond each, for others to run.
 *
 * @param app Counts of the whole app. Messages whose label is not among `labels` count here alone.
 * @param labels Counts of each label to be evaluated; the empty one is of messages without a label.
 * @param lastDay Last listed day. Incidents whose label has no messages for weeks before it have ended.
 */
export function* detectIncidents(
  app: DailyCounts,
  labels: ReadonlyMap<string, DailyCounts>,
  lastDay: Day,
): Generator<void, Incident[]> {
  const found: Incident[] = [];
  const table = new SeriesTable((labels.size + 1) * OUTCOMES.length);
  const evaluated: EvaluatedLabel[] = [];
  const add = (label: string | undefined, counts: DailyCounts, incidents: Incident[]): void => {
    if (counts.days.length >= START_DAYS) evaluated.push(new EvaluatedLabel(label, counts, table, incidents));
  };
  for (const [label, counts] of labels) {
    add(label, counts, found);
    if (evaluated.length % LABELS_WITHOUT_PAUSE === 0) yield;
  }
  const labelCounts = evaluated.map(({ history }) => history.counts);
  // Messages of other labels tell of the whole app, not of a label.
  add(undefined, yield* countsOfOthers(app, labelCounts), []);
  const [firstDay] = app.days;
  if (evaluated.length === 0 || firstDay === undefined) return [];

  const whole = yield* WholeApp.of(
    app,
    evaluated.map(({ history }) => history),
  );
  const wholePart = new EvaluatedPart(undefined, whole, found, () => {
    for (const { part } of evaluated) part.acceptAside();
  });
  const appLevels = alarmLevels(1);
  for (const label of evaluated) label.begin(firstDay, weekdayOf(firstDay), whole);
  const steps = Array.from({ length: Math.ceil(evaluated.length / LABELS_A_STEP) }, (_, step) =>
    evaluated.slice(step * LABELS_A_STEP, (step + 1) * LABELS_A_STEP),
  );
  let work = 0;
  for (const [index, day] of app.days.entries()) {
    const nextDay = app.days[index + 1] ?? Number.NaN;
    const weekday = weekdayOf(day);
    wholePart.passTo(day);
    const present = whole.begin(weekday);
    const isOut = wholePart.evaluate(day, appLevels, 1, undefined);
    if (!isOut) whole.learn(weekday, appLevels);
    const levels = alarmLevels(Math.max(1, present));
    const shared = { isOut, shifts: whole.shifts };
    const today = { day, weekday, levels, shared, evaluated: labelCounts.length };
    for (const step of steps) {
      evaluateLabels(step, today, nextDay, whole);
      work += step.length;
      if (work < DAYS_WITHOUT_PAUSE) continue;
      work = 0;
      yield;
    }
  }
  for (const { part } of evaluated) part.finish(lastDay);
  wholePart.finish(lastDay);
  return found.sort(byNewestStart);
}

/** Each label ends a day and begins the next one at once, while the processor has it at hand. */
function evaluateLabels(
  labels: readonly EvaluatedLabel[],
  today: AppDay,
  nextDay: Day,
  whole: WholeApp,
): void {
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

/** A day of an app that is evaluated. */
export interface AppDay {
  readonly day: Day;
  readonly weekday: number;
  /** Sums of scores at which an alarm is raised for a label, by outcome. */
  readonly levels: Float64Array;
  /** The shift that the labels share on the day. */
  readonly shared: Shared;
  /** Number of labels that are evaluated. */
  readonly evaluated: number;
}

/** A label that is evaluated day by day. */
export class EvaluatedLabel {
  readonly history: LabelHistory;
  readonly part: EvaluatedPart;

  /**
   * @param counts At least `START_DAYS` days.
   * @param table Receives the series of the label.
   * @param found Receives incidents as they end.
   */
  constructor(label: string | undefined, counts: DailyCounts, table: SeriesTable, found: Incident[]) {
    this.history = new LabelHistory(counts, table);
    this.part = new EvaluatedPart(label, this.history, found);
  }

  /** Begins a day, if the label has messages then, and shows it to the whole app. */
  begin(day: Day, weekday: number, whole: WholeApp): void {
    const { history, part } = this;
    if (!history.has(day)) return;
    part.passTo(day);
    history.begin(weekday);
    whole.add(history);
  }

  /** Evaluates and learns the day that has begun, if the label has messages then. */
  end({ day, weekday, levels, shared, evaluated }: AppDay): void {
    const { history, part } = this;
    if (!history.has(day)) return;
    history.score(shared.shifts);
    const isMarked = part.evaluate(day, levels, evaluated, shared);
    if (shared.isOut || isMarked) history.setAside();
    else history.learn(weekday, levels);
    history.next();
  }
}
