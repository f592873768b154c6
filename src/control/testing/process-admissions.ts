import { withResolver } from "@waybill/client/support";
import type { Clock } from "../../model/clock.js";
import type { Day } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { Admission } from "../day-ledger.js";

interface OpenAdmission {
  /** End of the admission, on the monotonic clock. */
  readonly until: number;
  readonly ended: Promise<void>;
  end(): void;
}

/** Admissions of a day ledger in memory, and the days that are sealed. */
export class ProcessAdmissions {
  readonly #clock: Clock;
  readonly #admissionMs: number;
  readonly #open = new Map<string, OpenAdmission>();
  #last = 0;
  /** The last day that admissions exclude. */
  #excludedUntil: Day | undefined;
  /** The last day that no open admission includes. */
  #sealedUntil: Day | undefined;

  constructor(clock: Clock, admissionMs: number) {
    this.#clock = clock;
    this.#admissionMs = admissionMs;
  }

  admit(): Admission {
    const id = String(++this.#last);
    const { promise: ended, resolve: end } = withResolver();
    this.#open.set(id, { until: this.#clock.monotonic() + this.#admissionMs, ended, end });
    return { id, sealedUntil: this.#excludedUntil };
  }

  /** Ends an admission. @throws StoreUnavailableError if it has already ended. */
  end(id: string): void {
    const admission = this.#open.get(id);
    this.#open.delete(id);
    admission?.end();
    if (admission === undefined || admission.until < this.#clock.monotonic())
      throw new StoreUnavailableError("the append exceeded its time limit");
  }

  /** Seals days, after all earlier admissions have ended. */
  async seal(until: Day): Promise<void> {
    this.#excludedUntil = Math.max(until, this.#excludedUntil ?? until);
    await Promise.all([...this.#open].map(([id, admission]) => this.#endOf(id, admission)));
    this.#sealedUntil = Math.max(until, this.#sealedUntil ?? until);
  }

  /** Returns true if new admissions exclude a day. */
  isExcluded(day: Day): boolean {
    return this.#excludedUntil !== undefined && day <= this.#excludedUntil;
  }

  isSealed(day: Day): boolean {
    return this.#sealedUntil !== undefined && day <= this.#sealedUntil;
  }

  /** Waits until an admission has ended. */
  async #endOf(id: string, { until, ended }: OpenAdmission): Promise<void> {
    const { promise: expired, resolve: expire } = withResolver();
    const timer = setTimeout(expire, until - this.#clock.monotonic());
    await Promise.race([ended, expired]);
    clearTimeout(timer);
    this.#open.delete(id);
  }
}
