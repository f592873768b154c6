import type { LosAngelesDay } from "./los-angeles-time.js";

/** A fault to plant: on some days, some of the messages that would be delivered are not. */
export interface Fault {
  /** Label that it concerns, empty for messages without one; all if it is left out. */
  readonly label?: string;
  /** First Los Angeles day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day; without it, the fault lasts. */
  readonly to?: string;
  /** Part of the usual deliveries that remains, from 0 to 1. */
  readonly delivered: number;
}

/** Tells what part of the usual deliveries remains, by label and day of acceptance. */
export class Faults {
  /** Part for each day and label; empty without faults. */
  readonly #parts: Float64Array;
  readonly #labels: number;

  /**
   * @param labels All labels, of which the empty one is no label.
   * @throws RangeError if a fault names another label.
   */
  constructor(faults: readonly Fault[], days: readonly LosAngelesDay[], labels: readonly string[]) {
    this.#labels = labels.length;
    this.#parts = new Float64Array(faults.length === 0 ? 0 : days.length * labels.length).fill(1);
    for (const { label, from, to, delivered } of faults) {
      if (label !== undefined && !labels.includes(label))
        throw new RangeError(`label: there is no label "${label}"; there are: ${labels.slice(1).join(", ")}`);
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

  /** Part of the usual deliveries that remains for messages of a label that are accepted on a day, by indices. */
  deliveredPart(day: number, label: number): number {
    return this.#parts[day * this.#labels + label] ?? 1;
  }
}

function dateOf({ year, month, day }: LosAngelesDay): string {
  const padded = (part: number, length: number): string => String(part).padStart(length, "0");
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}
