import type { Day } from "../model/day.js";

/** An entry of delivery data as another service, the original, gave it. */
export interface MirroredEntry {
  readonly appId: string;
  /** Its date; of a date without a day or a month, the first day of it. */
  readonly day: Day;
  /** Empty if it has no label. */
  readonly label: string;
  /**
   * The entry, an `AndroidDeliveryData` in JSON: the fields that the contract knows, as they were given. What the
   * original left out is left out.
   */
  readonly original: string;
  /** The counts that follow from its figures, in the order of `COUNTS`; `undefined` if they do not say how messages fared. */
  readonly counts: readonly number[] | undefined;
}
