import { Chance } from "./chance.js";
import {
  randomVolumes,
  SENDERS,
  type Sender,
  type Volume,
  type VolumeFault,
  type VolumeHistory,
  type VolumeWishes,
} from "./volume-traffic.js";

/** A change in the number of messages, as a finder reports it; `label` is undefined for the whole app. */
export interface VolumeFinding {
  readonly label: string | undefined;
  readonly kind: string;
  readonly startDay: number;
  readonly endDay?: number;
}

/** The detection rule under test. */
export type VolumeFinder = (
  app: Volume,
  labels: ReadonlyMap<string, Volume>,
  lastDay: number,
) => readonly VolumeFinding[];

/** Counts for evaluating a finder. */
export interface VolumeScore {
  faults: number;
  /** Days with messages from the start of each change to its first report: 1 is the same day. */
  readonly delays: number[];
  startErrors: number;
  falseOfApp: number;
  falseOfLabels: number;
  appDays: number;
  labelDays: number;
}

/** Maximum number of days to wait for a detection. */
const PATIENCE_DAYS = 7;

export function scoreVolumes(
  find: VolumeFinder,
  seed: number,
  count: number,
  wishes: (chance: Chance) => VolumeWishes,
): VolumeScore {
  const score: VolumeScore = {
    faults: 0,
    delays: [],
    startErrors: 0,
    falseOfApp: 0,
    falseOfLabels: 0,
    appDays: 0,
    labelDays: 0,
  };
  for (let index = 0; index < count; index++) {
    const chance = new Chance(seed + index * 7919);
    scoreHistory(find, randomVolumes(chance, wishes(chance)), score);
  }
  return score;
}

function scoreHistory(find: VolumeFinder, history: VolumeHistory, score: VolumeScore): void {
  const { app, labels, firstDay, lastDay, fault } = history;
  const quietUntil = fault === undefined ? lastDay : fault.from - 1;
  score.appDays += quietUntil - firstDay + 1;
  score.labelDays += labels.size * (quietUntil - firstDay + 1);
  for (const finding of find(app, labels, lastDay)) {
    const { label, startDay } = finding;
    if (startDay > quietUntil || (fault !== undefined && concerns(finding, fault))) continue;
    if (label === undefined) score.falseOfApp++;
    else score.falseOfLabels++;
  }
  if (fault === undefined) return;
  score.faults++;
  for (let delay = 1; delay <= PATIENCE_DAYS; delay++) {
    const last = fault.from + delay - 1;
    const known = new Map([...labels].map(([label, volume]) => [label, until(volume, last)]));
    const found = find(until(app, last), known, last).find((finding) => concerns(finding, fault));
    if (found === undefined) continue;
    score.delays.push(delay);
    if (found.startDay !== fault.from) score.startErrors++;
    return;
  }
}

const concerns = ({ label, kind, startDay, endDay }: VolumeFinding, fault: VolumeFault): boolean =>
  (fault.label === undefined || label === fault.label) &&
  (kind === fault.kind || (fault.kind === "fall" && kind === "silence")) &&
  startDay >= fault.from - 2 &&
  (endDay === undefined || endDay >= fault.from);

/** Returns the message counts as known on a day. */
export function until({ days, accepted }: Volume, lastDay: number): Volume {
  const end = days.findIndex((day) => day > lastDay);
  return end < 0 ? { days, accepted } : { days: days.subarray(0, end), accepted: accepted.subarray(0, end) };
}

/** Random senders, without a simulated change. */
export const quietVolumes =
  (sender?: Sender) =>
  (chance: Chance): VolumeWishes => ({
    days: chance.whole(60, 200),
    sender: sender ?? SENDERS[chance.whole(0, SENDERS.length - 1)] ?? "daily",
    volume: chance.magnitude(30, 20_000),
    labels: chance.whole(1, 8),
  });

/** A simulated change of the app or of one label. It starts on a day with messages. */
export const changedVolumes =
  (
    kind: VolumeFault["kind"],
    factor: number,
    volume: number,
    of: { readonly sender?: Sender; readonly isOfLabel?: boolean } = {},
  ) =>
  (chance: Chance): VolumeWishes => {
    const days = chance.whole(60, 120);
    return {
      days,
      sender:
        of.sender ?? (["daily", "weekdays", "weekends", "fading"] as const)[chance.whole(0, 2)] ?? "daily",
      volume,
      labels: chance.whole(3, 8),
      faultOf: (labels, firstDay, isSent) => {
        let from = firstDay + chance.whole(40, days - 14);
        while (!isSent(from)) from++;
        const label = of.isOfLabel ? labels[chance.whole(0, labels.length - 1)] : undefined;
        return { kind, label, from, to: firstDay + days, factor };
      },
    };
  };
