/** Reads a CSV file as RFC 4180 has it. @throws Error where it is none. */
export function parseCsv(text: string): string[][] {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, value, end] = cell.exec(text) ?? [];
    if (value === undefined) throw new Error(`no cell at ${at}: ${text.slice(at, at + 80)}`);
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) throw new Error("the last line has no end");
  return rows;
}

/** A text as it was before it was kept from being run as a formula. */
export const unguarded = (text: string): string => text.replace(/^'/, "");
