import type { TableSpace } from "./page-formats.js";
import { print } from "./print.js";

/** Prints rows within the width of the terminal, and names the columns without room on standard error. */
export async function printFitting(textsIn: (space: TableSpace) => AsyncGenerator<string>): Promise<void> {
  let omitted: readonly string[] = [];
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  const onOmitted = (titles: readonly string[]): void => {
    omitted = titles;
  };
  await print(textsIn({ width, onOmitted }));
  if (omitted.length > 0) process.stderr.write(`Columns that do not fit: ${omitted.join(", ")}.\n`);
}
