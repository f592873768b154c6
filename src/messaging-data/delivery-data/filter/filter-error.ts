/** A filter is wrong. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  /** Index of the character in the filter where it is wrong. */
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
