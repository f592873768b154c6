import type { Day } from "../../model/day.js";
import { alarmLevels } from "./alarm-level.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { JudgedPart } from "./judged-part.js";
import { Series } from "./series.js";
import { varianceOf } from "./share.js";
import { type Panel, sharedShift } from "./shared-shift.js";
import { START_DAYS, startOfHistory } from "./start-of-history.js";
import { UsualShare } from "./usual-share.js";

/** Days of labels that are judged without a pause: about a millisecond. */
const DAYS_WITHOUT_PAUSE = 400;

/** A label as it is judged, with the row of its counts that is next. */
interface Label {
  readonly part: JudgedPart;
  readonly counts: DailyCounts;
  row: number;
}

/**
 * Finds the incidents of an app, of the whole app and of its labels, newest start first; the rule is in
 * docs/incidents.md. The same counts give the same incidents.
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
  const known: Label[] = [];
  for (const [label, counts] of labels) {
    if (counts.days.length < START_DAYS) continue;
    known.push({ part: new JudgedPart(label, seriesOf(counts), found), counts, row: 0 });
    if (known.length % 32 === 0) yield;
  }
  const judgedLabels = known.length;
  const others = countsOfOthers(app, known);
  // Messages of other labels tell of the whole app, not of a label.
  if (others.days.length >= START_DAYS)
    known.push({ part: new JudgedPart(undefined, seriesOf(others), []), counts: others, row: 0 });
  if (known.length === 0) return [];

  const whole = new JudgedPart(undefined, yield* seriesOfApp(app, known), found);
  const panel: Panel = {
    count: 0,
    shifts: new Float64Array(known.length),
    variances: new Float64Array(known.length),
    accepted: new Float64Array(known.length),
  };
  const shared = new Float64Array(OUTCOMES.length);
  let unpaused = 0;
  for (const [appRow, day] of app.days.entries()) {
    const weekday = weekdayOf(day);
    const present = known.filter(({ counts, row }) => counts.days[row] === day);
    for (const label of present) {
      begin(label, day, weekday);
      if (++unpaused % DAYS_WITHOUT_PAUSE === 0) yield;
    }
    if (present.length === 0) continue;
    const levels = alarmLevels(present.length, OUTCOMES.length - 1);
    const appLevels = alarmLevels(1, OUTCOMES.length - 1);
    whole.passTo(day);
    for (const outcome of OUTCOMES.keys()) {
      panel.count = 0;
      let expected = 0;
      let accepted = 0;
      for (const { part } of present) {
        const series = part.series[outcome];
        if (series === undefined || part.isUndelivered || series.run !== undefined) continue;
        const { today } = series;
        panel.shifts[panel.count] = today.share - today.expected;
        panel.variances[panel.count] = today.variance / today.precision;
        panel.accepted[panel.count] = today.accepted;
        panel.count++;
        expected += today.accepted * today.expected;
        accepted += today.accepted;
      }
      const series = whole.series[outcome];
      if (series === undefined) continue;
      if (panel.count === 0) {
        shared[outcome] = 0;
        series.begin(day, 0, 1, 0, 1);
        series.score(0);
        continue;
      }
      const { shift, variance, accepted: agreeing } = sharedShift(panel);
      const square = shift * shift;
      shared[outcome] = square > variance ? shift * (1 - variance / square) : 0;
      const base = expected / accepted;
      series.begin(
        day,
        base + shift,
        Math.max(1, agreeing),
        base + series.usual.expected(weekday),
        varianceOf(base),
      );
      series.usual.variance = varianceOf(base);
      series.score(0);
    }
    const acceptAll = (): void => {
      for (const { part } of known) for (const series of part.series) series.acceptAside();
    };
    const isMarked = whole.judge(day, appLevels, 1, { isOut: false, shifts: shared }, acceptAll);
    for (const [outcome, series] of whole.series.entries()) {
      if (isMarked) continue;
      const { share, expected } = series.today;
      const usual = series.usual.expected(weekday);
      series.today.share = share - expected + usual;
      series.today.expected = usual;
      series.learn(weekday, outcome === 0 ? appLevels.delivered : appLevels.other, appRow < START_DAYS);
    }
    for (const label of present) {
      const { part } = label;
      part.passTo(day);
      for (let outcome = 0; outcome < part.series.length; outcome++)
        part.series[outcome]?.score(shared[outcome] ?? 0);
      const isOut = part.judge(day, levels, judgedLabels, { isOut: isMarked, shifts: shared }, () => {
        for (const series of part.series) series.acceptAside();
      });
      const isStart = label.row < START_DAYS;
      for (let outcome = 0; outcome < part.series.length; outcome++) {
        const threshold = outcome === 0 ? levels.delivered : levels.other;
        if (isOut || isMarked) part.series[outcome]?.setAside();
        else part.series[outcome]?.learn(weekday, threshold, isStart);
      }
      label.row++;
      if (++unpaused % DAYS_WITHOUT_PAUSE === 0) yield;
    }
  }
  for (const { part } of known) part.finish(lastDay);
  whole.finish(lastDay);
  return found.sort(byNewestStart);
}

/** Sunday to Saturday, in any order that repeats every seven days. */
function weekdayOf(day: Day): number {
  return ((day % 7) + 7) % 7;
}

function begin({ part, counts, row }: Label, day: Day, weekday: number): void {
  const accepted = counts.accepted[row] ?? 0;
  for (let outcome = 0; outcome < part.series.length; outcome++) {
    const series = part.series[outcome];
    if (series === undefined) break;
    const expected = series.usual.expected(weekday);
    const variance = varianceOf(expected);
    series.usual.variance = variance;
    series.begin(day, shareOf(counts, outcome, row), accepted, expected, variance);
  }
}

/** Share of what should not happen: of messages with the outcome, or of those not delivered. */
function shareOf(counts: DailyCounts, outcome: number, row: number): number {
  const share = (counts.outcomes[outcome]?.[row] ?? 0) / (counts.accepted[row] ?? 1);
  return outcome === 0 ? 1 - share : share;
}

function seriesOf(counts: DailyCounts): Series[] {
  const accepted = Array.from(counts.accepted.subarray(0, START_DAYS));
  const weekdays = Array.from(counts.days.subarray(0, START_DAYS), weekdayOf);
  return OUTCOMES.map((_, outcome) => {
    const shares = accepted.map((_, row) => shareOf(counts, outcome, row));
    const start = startOfHistory(shares, accepted, weekdays);
    return new Series(new UsualShare(start, varianceOf(start.level)));
  });
}

/** The series of the whole app: how far all labels together are from what is usual of each. */
function* seriesOfApp(app: DailyCounts, labels: readonly Label[]): Generator<void, Series[]> {
  const days = app.days.subarray(0, START_DAYS);
  const seen = OUTCOMES.map(() => new Float64Array(days.length));
  const expected = OUTCOMES.map(() => new Float64Array(days.length));
  const accepted = new Float64Array(days.length);
  const rows = new Map(Array.from(days, (day, row) => [day, row]));
  for (const [index, { part, counts }] of labels.entries()) {
    for (let own = 0; own < counts.days.length; own++) {
      const row = rows.get(counts.days[own] ?? 0);
      if (row === undefined) break;
      const count = counts.accepted[own] ?? 0;
      accepted[row] = (accepted[row] ?? 0) + count;
      for (const [outcome, series] of part.series.entries()) {
        const [seenOf, expectedOf] = [seen[outcome], expected[outcome]];
        if (seenOf === undefined || expectedOf === undefined) continue;
        seenOf[row] = (seenOf[row] ?? 0) + count * shareOf(counts, outcome, own);
        expectedOf[row] =
          (expectedOf[row] ?? 0) + count * series.usual.expected(weekdayOf(counts.days[own] ?? 0));
      }
    }
    if (index % 32 === 31) yield;
  }
  const withMessages = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  const weekdays = withMessages.map((row) => weekdayOf(days[row] ?? 0));
  const weights = withMessages.map((row) => accepted[row] ?? 1);
  const total = weights.reduce((sum, count) => sum + count, 0);
  return OUTCOMES.map((_, outcome) => {
    const shifts = withMessages.map(
      (row) => ((seen[outcome]?.[row] ?? 0) - (expected[outcome]?.[row] ?? 0)) / (accepted[row] ?? 1),
    );
    const base = (expected[outcome] ?? new Float64Array()).reduce((sum, count) => sum + count, 0) / total;
    return new Series(new UsualShare(startOfHistory(shifts, weights, weekdays, base), varianceOf(base)));
  });
}

/** What remains of the app's counts without the labels'. */
function countsOfOthers(app: DailyCounts, labels: readonly Label[]): DailyCounts {
  const accepted = app.accepted.slice();
  const outcomes = app.outcomes.map((column) => column.slice());
  for (const { counts } of labels) {
    let row = 0;
    for (const [own, day] of counts.days.entries()) {
      while ((app.days[row] ?? Number.POSITIVE_INFINITY) < day) row++;
      if (app.days[row] !== day) continue;
      accepted[row] = (accepted[row] ?? 0) - (counts.accepted[own] ?? 0);
      for (const [outcome, column] of outcomes.entries())
        column[row] = (column[row] ?? 0) - (counts.outcomes[outcome]?.[own] ?? 0);
    }
  }
  const left = [...accepted.keys()].filter((row) => (accepted[row] ?? 0) > 0);
  return {
    days: Int32Array.from(left, (row) => app.days[row] ?? 0),
    accepted: Float64Array.from(left, (row) => accepted[row] ?? 0),
    outcomes: outcomes.map((column) => Float64Array.from(left, (row) => Math.max(0, column[row] ?? 0))),
  };
}

function byNewestStart(a: Incident, b: Incident): number {
  return (
    b.startDay - a.startDay ||
    Number(a.label !== undefined) - Number(b.label !== undefined) ||
    compareLabels(a.label ?? "", b.label ?? "") ||
    OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)
  );
}

function compareLabels(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
