import type { LosAngelesDay } from "./los-angeles-time.js";

/** A simulated outage: on some days, some of the usual deliveries fail. */
export interface Fault {
  /** Label of the affected messages, empty for messages without one. If omitted, all messages. */
  readonly label?: string;
  /** First Los Angeles day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day. If omitted, the outage does not end. */
  readonly to?: string;
  /** Remaining fraction of the usual deliveries, from 0 to 1. */
  readonly delivered: number;
}

/** Remaining fraction of the usual deliveries, by label and day of acceptance. */
export class Faults {
  /** Fraction for each day and label. Empty without outages. */
  readonly #parts: Float64Array;
  readonly #labels: number;

  /**
   * @param labels all labels. The empty one represents messages without a label.
   * @throws RangeError if an outage has an unknown label.
   */
  constructor(faults: readonly Fault[], days: readonly LosAngelesDay[], labels: readonly string[]) {
    this.#labels = labels.length;
    this.#parts = new Float64Array(faults.length === 0 ? 0 : days.length * labels.length).fill(1);
    for (const { label, from, to, delivered } of faults) {
      if (label !== undefined && !labels.includes(label))
        throw new RangeError(`label: unknown label "${label}"; known labels: ${labels.slice(1).join(", ")}`);
      for (const [dayIndex, day] of days.entries()) {
        const date = dateOf(day);
        if (date < from || (to !== undefined && date > to)) continue;
        for (const [labelIndex, name] of labels.entries()) {
          const index = dayIndex * labels.length + labelIndex;
          if (label === undefined || label === name)
            this.#parts[index] = (this.#parts[index] ?? 1) * delivered;
        }
      }
    }
  }

  /** Returns the fraction for messages of a label that are accepted on a day, both by index. */
  deliveredPart(day: number, label: number): number {
    return this.#parts[day * this.#labels + label] ?? 1;
  }
}

function dateOf({ year, month, day }: LosAngelesDay): string {
  const padded = (part: number, length: number): string => String(part).padStart(length, "0");
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}
