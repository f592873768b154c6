import type { Chance } from "./chance.js";

/** Number of outcomes: the service outcomes in their order, then messages without a known outcome. */
const OUTCOMES = 7;
const UNKNOWN = OUTCOMES;
const DELIVERED = 0;

/** Counts of one label, or of the app: parallel columns by day. */
export interface Columns {
  readonly days: Int32Array;
  readonly accepted: Float64Array;
  readonly outcomes: readonly Float64Array[];
}

/** A simulated problem. */
export interface PlantedFault {
  /** Label; `undefined` for all. */
  readonly label: string | undefined;
  readonly from: number;
  /** Last day. */
  readonly to: number;
  /** Share of the deliveries that is lost. */
  readonly lost: number;
  /** Index of the outcome that lost deliveries get instead. */
  readonly into: number;
}

/** Messages of an app over a range of days. */
export interface History {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly app: Columns;
  readonly labels: ReadonlyMap<string, Columns>;
  readonly faults: readonly PlantedFault[];
}

interface Habit {
  readonly volume: number;
  readonly growth: number;
  readonly firstDay: number;
  readonly sendsOnWeekends: boolean;
  readonly missing: number;
  readonly bursts: number;
  /** Logarithm of the odds of each outcome. */
  readonly odds: readonly number[];
  /** Weekly pattern: change in the log odds of delivery on each weekday. */
  readonly rhythm: readonly number[];
  readonly noise: number;
  readonly drift: number;
}

/** Properties of generated traffic. Omitted properties are random. */
export interface Wishes {
  readonly days: number;
  readonly labels: number;
  /** Messages of each label per day. */
  readonly volume?: number;
  /** Percentage of delivered messages of each label. */
  readonly delivered?: number;
  readonly faults: (labels: readonly string[], firstDay: number) => readonly PlantedFault[];
}

/**
 * Generates traffic. The probability of delivery is logistic-normal. It depends on the weekday, on daily noise that all
 * labels share, on the label's own noise with occasional outliers, and on a slow drift.
 */
export function randomHistory(chance: Chance, wishes: Wishes): History {
  const firstDay = 20_000 + chance.whole(0, 6);
  const lastDay = firstDay + wishes.days - 1;
  const names = Array.from({ length: wishes.labels }, (_, index) => (index === 0 ? "" : `label-${index}`));
  const faults = wishes.faults(names, firstDay);
  const volumeOfWeek = weekly(chance, 0.25);
  const common = Array.from({ length: wishes.days }, () => 0);
  const sharedNoise = chance.happens(0.5) ? chance.between(0, 0.08) : 0;
  for (const day of common.keys()) common[day] = sharedNoise * chance.normal();
  const isDown = common.map(() => chance.happens(0.01));
  const labels = new Map<string, Columns>();
  for (const name of names) {
    const habit = habitOf(chance, wishes, firstDay);
    const rows: { day: number; counts: number[] }[] = [];
    let drift = 0;
    for (let day = Math.max(firstDay, habit.firstDay); day <= lastDay; day++) {
      const index = day - firstDay;
      drift += habit.drift * chance.normal();
      const weekend = day % 7 > 4;
      if (isDown[index] || chance.happens(habit.missing) || (weekend && !habit.sendsOnWeekends)) continue;
      const burst = chance.happens(habit.bursts) ? chance.between(3, 10) : 1;
      const volume =
        habit.volume *
        (1 + habit.growth * index) *
        (volumeOfWeek[day % 7] ?? 1) *
        Math.exp(0.12 * chance.normal());
      const accepted = Math.round(volume * burst);
      if (accepted <= 0) continue;
      const noise = habit.noise * chance.normal() * (chance.happens(0.03) ? 2 : 1);
      const shift = (common[index] ?? 0) + noise + drift + (habit.rhythm[day % 7] ?? 0);
      const shares = withFaults(sharesOf(habit.odds, shift), faults, name, day);
      rows.push({ day, counts: [accepted, ...multinomial(chance, accepted, shares)] });
    }
    labels.set(name, columnsOf(rows));
  }
  return { firstDay, lastDay, app: sumOf([...labels.values()]), labels, faults };
}

function habitOf(chance: Chance, { volume, delivered, days }: Wishes, firstDay: number): Habit {
  const share = delivered === undefined ? chance.between(0.75, 0.96) : delivered / 100;
  const rest = Array.from({ length: OUTCOMES }, () => chance.fraction() ** 3);
  const total = rest.reduce((sum, weight) => sum + weight, 0);
  const others = rest.map((weight) => Math.log(((1 - share) * weight) / total + 1e-6));
  return {
    volume: volume ?? chance.magnitude(30, 20_000),
    growth: volume === undefined ? chance.between(-0.002, 0.006) : 0,
    firstDay: volume === undefined && chance.happens(0.2) ? firstDay + chance.whole(0, days / 2) : firstDay,
    sendsOnWeekends: volume !== undefined || chance.happens(0.9),
    missing: chance.happens(0.3) ? chance.between(0, 0.08) : 0,
    bursts: volume === undefined && chance.happens(0.3) ? 0.03 : 0,
    odds: [Math.log(share), ...others],
    rhythm: chance.happens(0.5) ? weekly(chance, 0.2).map((factor) => Math.log(factor)) : Array(7).fill(0),
    noise: chance.between(0, 0.1),
    drift: chance.happens(0.3) ? 0.01 : 0,
  };
}

/** A random factor near 1 for each weekday. Saturday and Sunday deviate in the same direction. */
function weekly(chance: Chance, amplitude: number): number[] {
  const weekend = chance.between(-amplitude, amplitude);
  return Array.from(
    { length: 7 },
    (_, day) => 1 + (day > 4 ? weekend : 0) + chance.between(-amplitude, amplitude) / 8,
  );
}

function sharesOf(odds: readonly number[], shift: number): number[] {
  const weights = odds.map((logarithm, outcome) => Math.exp(logarithm + (outcome === DELIVERED ? shift : 0)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function withFaults(shares: number[], faults: readonly PlantedFault[], label: string, day: number): number[] {
  for (const fault of faults) {
    if (day < fault.from || day > fault.to || (fault.label !== undefined && fault.label !== label)) continue;
    const lost = (shares[DELIVERED] ?? 0) * fault.lost;
    shares[DELIVERED] = (shares[DELIVERED] ?? 0) - lost;
    shares[fault.into] = (shares[fault.into] ?? 0) + lost;
  }
  return shares;
}

/** Counts of the service's outcomes among `count` messages. */
function multinomial(chance: Chance, count: number, shares: readonly number[]): number[] {
  let left = count;
  let rest = 1;
  return shares.slice(0, UNKNOWN).map((share) => {
    const drawn = chance.binomial(left, Math.min(1, rest > 0 ? share / rest : 0));
    left -= drawn;
    rest -= share;
    return drawn;
  });
}

function columnsOf(rows: readonly { readonly day: number; readonly counts: readonly number[] }[]): Columns {
  return {
    days: Int32Array.from(rows, ({ day }) => day),
    accepted: Float64Array.from(rows, ({ counts }) => counts[0] ?? 0),
    outcomes: Array.from({ length: OUTCOMES }, (_, outcome) =>
      Float64Array.from(rows, ({ counts }) => counts[outcome + 1] ?? 0),
    ),
  };
}

/** Adds the counts of several labels. */
export function sumOf(parts: readonly Columns[]): Columns {
  const byDay = new Map<number, number[]>();
  for (const { days, accepted, outcomes } of parts) {
    for (const [row, day] of days.entries()) {
      const sums = byDay.get(day) ?? Array<number>(1 + OUTCOMES).fill(0);
      byDay.set(day, sums);
      for (const [column, counts] of [accepted, ...outcomes].entries())
        sums[column] = (sums[column] ?? 0) + (counts[row] ?? 0);
    }
  }
  return columnsOf([...byDay].sort(([a], [b]) => a - b).map(([day, counts]) => ({ day, counts })));
}

export function until(history: History, lastDay: number): History {
  const cut = ({ days, accepted, outcomes }: Columns): Columns => {
    const rows = days.findIndex((day) => day > lastDay);
    const end = rows < 0 ? days.length : rows;
    return {
      days: days.subarray(0, end),
      accepted: accepted.subarray(0, end),
      outcomes: outcomes.map((column) => column.subarray(0, end)),
    };
  };
  const labels = new Map([...history.labels].map(([label, columns]) => [label, cut(columns)]));
  return { ...history, lastDay, app: cut(history.app), labels };
}
