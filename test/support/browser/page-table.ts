import type { Page } from "playwright-core";

/** A table of a page as a reader sees it. */
export interface PageTable {
  readonly headings: readonly string[];
  /** Text of each cell. Dates have the markup's format, such as `2025-03-01`. */
  readonly rows: readonly (readonly string[])[];
}

/** Runs in the page. */
function read(element: Element): PageTable {
  const table = element as HTMLTableElement;
  const textOf = (cell: HTMLTableCellElement): string =>
    cell.querySelector("time")?.dateTime ?? cell.innerText.trim();
  return {
    headings: [...([...(table.tHead?.rows ?? [])].at(-1)?.cells ?? [])].map(textOf),
    rows: [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.cells].map(textOf)),
  };
}

/** Reads the table with a name, once all its rows are there. */
export const readTable = (page: Page, name: string): Promise<PageTable> =>
  page.getByRole("table", { name, exact: true }).and(page.locator(":not([aria-busy=true])")).evaluate(read);

/** Cells of the column with a heading. */
export function columnOf({ headings, rows }: PageTable, heading: string): string[] {
  const index = headings.indexOf(heading);
  if (index < 0) throw new Error(`no column is called ${heading}: ${headings.join(", ")}`);
  return rows.map((row) => row[index] ?? "");
}
