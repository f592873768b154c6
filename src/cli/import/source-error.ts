/** A file cannot be read as rows, or one of its rows is no event. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** Number of the line or row, from 1; undefined if the problem is not in a certain one. */
  readonly line: number | undefined;

  constructor(line: number | undefined, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.line = line;
  }
}
