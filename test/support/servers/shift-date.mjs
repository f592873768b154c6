/** Shifts the time of day in this thread. The monotonic clock is unaffected. @param {() => number} offset milliseconds. */
export function shiftDate(offset) {
  const RealDate = Date;
  globalThis.Date = class ShiftedDate extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(ShiftedDate.now());
      else super(...given);
    }

    static now() {
      return RealDate.now() + offset();
    }
  };
}
