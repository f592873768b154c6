/** A file cannot be read as rows, or one of its rows is no event. The message names the line. */
export class SourceError extends Error {
  override readonly name = "SourceError";

  /** @param line number of the line, from 1; missing if the file as a whole is at fault. */
  constructor(line: number | undefined, problem: string, options?: ErrorOptions) {
    super(line === undefined ? problem : `line ${line}: ${problem}`, options);
  }
}
