import { byBytes } from "../../model/by-bytes.js";
import type { Day } from "../../model/day.js";
import { alarmLevels } from "./alarm-level.js";
import { countsOfOthers } from "./counts-of-others.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { JudgedPart } from "./judged-part.js";
import { LabelHistory } from "./label-history.js";
import { START_DAYS } from "./start-of-history.js";
import { weekdayOf } from "./weekday.js";
import { WholeApp } from "./whole-app.js";

/** Days of labels between pauses: less than a millisecond. */
const DAYS_WITHOUT_PAUSE = 256;
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
  const judged: { readonly part: JudgedPart; readonly history: LabelHistory }[] = [];
  const add = (label: string | undefined, counts: DailyCounts, incidents: Incident[]): void => {
    if (counts.days.length < START_DAYS) return;
    const history = new LabelHistory(counts);
    judged.push({ part: new JudgedPart(label, history.series, incidents), history });
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
  const wholePart = new JudgedPart(undefined, whole.series, found);
  const appLevels = alarmLevels(1);
  const begin = ({ part, history }: (typeof judged)[number], day: Day): void => {
    if (!history.has(day)) return;
    part.passTo(day);
    history.begin(day);
    whole.add(history.series);
  };
  for (const one of judged) begin(one, app.days[0] ?? 0);
  let work = 0;
  for (const [index, day] of app.days.entries()) {
    const nextDay = app.days[index + 1] ?? Number.NaN;
    const weekday = weekdayOf(day);
    wholePart.passTo(day);
    const present = whole.begin(day);
    const isOut = wholePart.judge(day, appLevels, 1, undefined, () => {
      for (const { part } of judged) part.acceptAside();
    });
    if (!isOut) whole.learn(weekday, appLevels.of);
    const levels = alarmLevels(Math.max(1, present));
    const shared = { isOut, shifts: whole.shifts };
    // Each label ends this day and begins the next one at once, while the processor has it at hand.
    for (const one of judged) {
      const { part, history } = one;
      if (history.has(day)) {
        for (const series of part.series) series.score(whole.shifts[series.outcome] ?? 0);
        const isMarked = part.judge(day, levels, labelCounts.length, shared, () => part.acceptAside());
        for (const series of part.series) {
          if (isOut || isMarked) series.setAside();
          else series.learn(weekday, levels.of(series.outcome), history.isAtStart);
        }
        history.next();
      }
      begin(one, nextDay);
      if (++work % DAYS_WITHOUT_PAUSE === 0) yield;
    }
  }
  for (const { part } of judged) part.finish(lastDay);
  wholePart.finish(lastDay);
  return found.sort(byNewestStart);
}

function byNewestStart(a: Incident, b: Incident): number {
  return (
    b.startDay - a.startDay ||
    Number(a.label !== undefined) - Number(b.label !== undefined) ||
    byBytes(a.label ?? "", b.label ?? "") ||
    OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)
  );
}
