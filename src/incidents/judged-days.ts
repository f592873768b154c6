/** A day of many series, as it compares with what is usual of each: parallel columns, by number of the series. */
export class JudgedDays {
  readonly accepted: Float64Array;
  /** One divided by the messages: the part of chance in counting in the variation of the share. */
  readonly ofCounts: Float64Array;
  /** Share of the messages that was usual. */
  readonly expected: Float64Array;
  readonly share: Float64Array;
  /** Messages that would vary as much if chance in counting were all. */
  readonly precision: Float64Array;
  /** The share minus the expected one, in standard deviations. */
  readonly score: Float64Array;

  /** @param size Number of series. */
  constructor(size: number) {
    this.accepted = new Float64Array(size);
    this.ofCounts = new Float64Array(size);
    this.expected = new Float64Array(size);
    this.share = new Float64Array(size);
    this.precision = new Float64Array(size);
    this.score = new Float64Array(size);
  }
}
