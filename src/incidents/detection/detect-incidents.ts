import type { Day } from "../../model/day.js";
import { countsOfOthers, type DailyCounts, OUTCOMES, weekdayOf } from "./daily-counts.js";
import { EvaluatedPart, type Shared } from "./evaluated-part.js";
import { byLabel, type Incident } from "./incident.js";
import { LabelHistory } from "./label-history.js";
import { alarmLevels } from "./scores.js";
import { SeriesTable } from "./series-table.js";
import { START_DAYS } from "./start-of-history.js";
import { WholeApp } from "./whole-app.js";

/** Number of label days to process between pauses: less than a millisecond of work. */
const DAYS_WITHOUT_PAUSE = 512;
const LABELS_PER_STEP = 64;
/** Number of labels to add between pauses. */
const LABELS_WITHOUT_PAUSE = 16;

/**
 * Detects incidents of an app and its labels, by the rule in docs/concepts/incident-rules.md. Sorts them by newest
 * start, then the whole app before its labels in byte order. The same counts always produce the same incidents.
 *
 * Needs up to hundreds of milliseconds, and yields about every millisecond.
 *
 * @param app counts of the whole app, including messages of labels that are not in `labels`.
 * @param labels counts of each label to evaluate. The empty label stands for messages without one.
 * @param lastDay last listed day. Incidents of a label without messages for weeks before this day have ended.
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
  // Messages of other labels count for the whole app only.
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
  const steps = Array.from({ length: Math.ceil(evaluated.length / LABELS_PER_STEP) }, (_, step) =>
    evaluated.slice(step * LABELS_PER_STEP, (step + 1) * LABELS_PER_STEP),
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

/** Each label ends one day and begins the next in a single step, while its data is in the processor cache. */
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
    byLabel(a.label, b.label) ||
    OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)
  );
}

export interface AppDay {
  readonly day: Day;
  readonly weekday: number;
  /** Score at which a label raises an alarm, by outcome. */
  readonly levels: Float64Array;
  /** Shift that the labels share on this day. */
  readonly shared: Shared;
  /** Number of labels that are evaluated. */
  readonly evaluated: number;
}

/** A label during the evaluation, day by day. */
class EvaluatedLabel {
  readonly history: LabelHistory;
  readonly part: EvaluatedPart;

  /**
   * @param counts at least `START_DAYS` days.
   * @param table receives the label's series.
   * @param found receives incidents as they end.
   */
  constructor(label: string | undefined, counts: DailyCounts, table: SeriesTable, found: Incident[]) {
    this.history = new LabelHistory(counts, table);
    this.part = new EvaluatedPart(label, this.history, found);
  }

  /** Begins a day if the label has messages, and adds its counts to the whole app. */
  begin(day: Day, weekday: number, whole: WholeApp): void {
    const { history, part } = this;
    if (!history.has(day)) return;
    part.passTo(day);
    history.begin(weekday);
    whole.add(history);
  }

  /** Evaluates the current day if the label has messages, and learns from it. */
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
