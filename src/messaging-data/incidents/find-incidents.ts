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

  const whole = new WholeApp(
    app,
    judged.map(({ history }) => history),
  );
  const wholePart = new JudgedPart(undefined, whole.series, found);
  const appLevels = alarmLevels(1);
  let work = 0;
  for (const day of app.days) {
    const weekday = weekdayOf(day);
    const present: typeof judged = [];
    for (const one of judged) {
      if (!one.history.has(day)) continue;
      one.part.passTo(day);
      one.history.begin(day, weekday);
      whole.add(one.history.series);
      present.push(one);
      if (++work % DAYS_WITHOUT_PAUSE === 0) yield;
    }
    if (present.length === 0) continue;
    wholePart.passTo(day);
    whole.begin(day, weekday);
    const isOut = wholePart.judge(day, appLevels, 1, undefined, () => {
      for (const { part } of judged) part.acceptAside();
    });
    if (!isOut) whole.learn(weekday, appLevels.of);
    const levels = alarmLevels(present.length);
    const shared = { isOut, shifts: whole.shifts };
    for (const { part, history } of present) {
      for (const series of part.series) series.score(whole.shifts[series.outcome] ?? 0);
      const isMarked = part.judge(day, levels, labelCounts.length, shared, () => part.acceptAside());
      for (const series of part.series) {
        if (isOut || isMarked) series.setAside();
        else series.learn(weekday, levels.of(series.outcome), history.isAtStart);
      }
      history.next();
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
