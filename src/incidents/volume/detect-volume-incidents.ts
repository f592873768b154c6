import type { Day } from "../../model/day.js";
import type { DailyCounts } from "../detection/daily-counts.js";
import { byLabel } from "../detection/incident.js";
import { type DailyVolume, dailyVolume } from "./daily-volume.js";
import { VOLUME_CHANGES, type VolumeIncident } from "./volume-incident.js";
import type { VolumeRun } from "./volume-run.js";
import { sumOf, VolumeSeries } from "./volume-series.js";

/** Number of days of an app before the first evaluated one. */
const START_DAYS_OF_APP = 14;
/** Number of days with data before a label is evaluated, so that labels of short campaigns never are. */
const START_DAYS_OF_LABEL = 28;
/** Minimum average number of messages per day for a label to be evaluated. */
const LEAST_OF_LABEL = 20;
/**
 * Minimum share of the app's usual messages that must remain without its most changed label. With fewer, the rest does
 * not show whether other labels changed, too.
 */
const LEAST_REST = 0.1;
/** Standard deviations between a usual range's center and edges. */
const BAND = 1.96;
/** Number of days with which the usual level is estimated. */
const LEVEL_DAYS = 6;

export interface VolumeDays {
  /** Last day with complete messages. */
  readonly lastDay: Day;
  /** True in a mirror, in which entries may be absent or lack their figures. Only labels are evaluated then. */
  readonly lacksEntries: boolean;
  /** Returns true for a day without messages in the whole project. */
  readonly isEmpty: (day: Day) => boolean;
}

interface Evaluated {
  readonly label: string | undefined;
  readonly volume: DailyVolume;
  /** Usual number of messages on each day. */
  readonly expected: Float64Array;
  readonly runs: { readonly run: VolumeRun; readonly hasEnded: boolean }[];
}

type FoundRun = Evaluated["runs"][number];

/**
 * Detects silences, sharp falls and sharp rises of the accepted messages of an app and its labels, by the rule in
 * docs/concepts/incident-rules.md. Sorts them by newest start, then the whole app before its labels in byte order.
 *
 * Yields about every millisecond.
 */
export function* detectVolumeIncidents(
  app: DailyCounts,
  labels: ReadonlyMap<string, DailyCounts>,
  days: VolumeDays,
): Generator<void, VolumeIncident[]> {
  const whole = evaluated(undefined, app, days, START_DAYS_OF_APP);
  if (whole === undefined) return [];
  const all: Evaluated[] = [];
  for (const [label, counts] of labels) {
    if (!isLarge(counts, days.lastDay)) continue;
    const each = evaluated(label, counts, days, START_DAYS_OF_LABEL);
    if (each !== undefined) all.push(each);
    yield;
  }
  const changed = all.filter(({ runs }) => runs.length > 0);
  const ofApp = days.lacksEntries ? [] : whole.runs.filter((found) => isShared(found, whole, changed));
  const series = 1 + all.length;
  return [
    ...ofApp.map((found) => incidentOf(found, whole, series, days)),
    ...changed.flatMap((each) =>
      each.runs
        .filter((found) => !ofApp.some((shared) => explains(shared, found)))
        .map((found) => incidentOf(found, each, series, days)),
    ),
  ].sort(
    (a, b) =>
      b.startDay - a.startDay ||
      byLabel(a.label, b.label) ||
      VOLUME_CHANGES.indexOf(a.outcome) - VOLUME_CHANGES.indexOf(b.outcome),
  );
}

function isLarge({ days, accepted }: DailyCounts, lastDay: Day): boolean {
  const [firstDay = lastDay] = days;
  const messages = accepted.reduce((sum, count) => sum + count, 0);
  return (
    days.length >= START_DAYS_OF_LABEL / 7 &&
    messages >= LEAST_OF_LABEL * Math.min(28, lastDay - firstDay + 1)
  );
}

function evaluated(
  label: string | undefined,
  counts: DailyCounts,
  { lastDay, lacksEntries }: VolumeDays,
  startDays: number,
): Evaluated | undefined {
  const volume = dailyVolume(counts, lastDay, lacksEntries);
  if (volume === undefined) return undefined;
  const runs: FoundRun[] = [];
  const series = new VolumeSeries(startDays, (run, hasEnded) => runs.push({ run, hasEnded }));
  const expected = volume.counts.map((count, index) => series.evaluate(volume.firstDay + index, count));
  series.finish();
  return { label, volume, expected, runs };
}

/**
 * Returns true if the app's other messages, without the label that changed most, changed at least half as much.
 * Otherwise, the change is attributed to that label.
 */
function isShared(found: FoundRun, whole: Evaluated, labels: readonly Evaluated[]): boolean {
  const { run } = found;
  const of = sumsOf(whole, run.startDay, run.lastDay);
  let most = { count: 0, expected: 0 };
  for (const label of labels) {
    if (!label.runs.some((other) => isSame(other, found) && other.run.startDay <= run.lastDay)) continue;
    const own = sumsOf(label, run.startDay, run.lastDay);
    if (Math.abs(own.count - own.expected) > Math.abs(most.count - most.expected)) most = own;
  }
  const rest = { count: Math.max(0, of.count - most.count), expected: of.expected - most.expected };
  if (rest.expected <= LEAST_REST * of.expected) return true;
  const change = (sums: typeof of): number => Math.log((sums.count + 1) / (sums.expected + 1));
  return change(rest) / change(of) >= 0.5;
}

const isSame = (a: FoundRun, b: FoundRun): boolean => a.run.direction === b.run.direction;

/** Returns true if an incident of the app includes an incident of the label. */
const explains = (ofApp: FoundRun, ofLabel: FoundRun): boolean =>
  isSame(ofApp, ofLabel) &&
  ofLabel.run.startDay >= ofApp.run.startDay &&
  ofLabel.run.startDay <= ofApp.run.lastDay &&
  (!ofApp.hasEnded || (ofLabel.hasEnded && ofLabel.run.lastDay <= ofApp.run.lastDay + 1));

function sumsOf({ volume, expected }: Evaluated, first: Day, last: Day) {
  const sums = { count: 0, expected: 0 };
  for (let day = Math.max(first, volume.firstDay); day <= last; day++) {
    const usual = expected[day - volume.firstDay] ?? Number.NaN;
    if (Number.isNaN(usual)) continue;
    sums.count += volume.counts[day - volume.firstDay] ?? Number.NaN;
    sums.expected += usual;
  }
  return sums;
}

function incidentOf(
  { run, hasEnded }: FoundRun,
  { label }: Evaluated,
  series: number,
  { isEmpty }: VolumeDays,
): VolumeIncident {
  const { startDay, lastDay, kind, days, direction } = run;
  const { count, expected } = sumOf(days);
  const ofDays = days.reduce((sum, day) => sum + day.expected ** 2 * day.variance, 0) / expected ** 2;
  const ofLevel = days.reduce((sum, day) => sum + day.variance, 0) / days.length / LEVEL_DAYS;
  const width = Math.exp(BAND * Math.sqrt(ofDays + ofLevel));
  return {
    label,
    outcome: direction === "more" ? "moreAccepted" : "fewerAccepted",
    kind,
    startDay,
    ...(hasEnded && { endDay: lastDay }),
    usualMessageCount: Math.round(expected),
    usualLowMessageCount: Math.floor(expected / width),
    usualHighMessageCount: Math.ceil(expected * width),
    observedMessageCount: count,
    excessMessageCount: Math.max(1, Math.round(Math.abs(count - expected))),
    confidence: run.confidence(series),
    isOfProject:
      label === undefined &&
      kind === "silence" &&
      days.every(({ day, count }) => count === 0 && isEmpty(day)),
  };
}
