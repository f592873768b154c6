/** An error in a filter. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  /** Index of the character in the filter at which the error is. */
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
