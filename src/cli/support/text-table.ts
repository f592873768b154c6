import { at } from "../../model/collections.js";
import { numberOf } from "../../presentation/field-text.js";

export interface Column<R> {
  readonly title: string;
  readonly text: (row: R) => string;
  /**
   * Minimum width of a text column, in characters. Text that does not fit is shortened. If omitted, the column contains
   * numbers: it is aligned to the right, and never shortened.
   */
  readonly leastWidth?: number;
}

/** Formats a percentage in ProtoJSON for a cell, with two decimals. */
export const percentText = (value: number | string | undefined): string => numberOf(value).toFixed(2);

const GAP = "  ";

/**
 * A table with aligned columns that is written line by line. If a line would be too long, text is shortened first. Then
 * columns are omitted, starting from the right.
 */
export class TextTable<R> {
  readonly #columns: readonly Column<R>[];
  readonly #widths: readonly number[];
  /** True if cells must not be wider than the cells in the sample. */
  readonly #limited: boolean;
  /** Columns that do not fit into the line. */
  readonly omitted: readonly Column<R>[];

  /**
   * @param sample rows that determine the column widths.
   * @param width maximum line length, in characters.
   */
  constructor(columns: readonly Column<R>[], sample: readonly R[], width = Number.POSITIVE_INFINITY) {
    const widths = columns.map(({ title, text }) =>
      sample.reduce((widest, row) => Math.max(widest, charactersOf(text(row)).length), title.length),
    );
    let excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
    columns.forEach(({ title, leastWidth }, index) => {
      const own = at(widths, index);
      const less = leastWidth === undefined ? 0 : own - Math.max(leastWidth, title.length);
      const taken = Math.max(0, Math.min(less, excess));
      widths[index] = own - taken;
      excess -= taken;
    });
    let fitting = columns.length;
    for (; excess > 0 && fitting > 1; fitting--) excess -= at(widths, fitting - 1) + GAP.length;
    this.#columns = columns.slice(0, fitting);
    this.#widths = widths;
    this.#limited = width < Number.POSITIVE_INFINITY;
    this.omitted = columns.slice(fitting);
  }

  head(): string {
    return this.#line(({ title }) => title);
  }

  line(row: R): string {
    return this.#line(({ text }) => text(row));
  }

  #line(textOf: (column: Column<R>) => string): string {
    const cells = this.#columns.map((column, index) => {
      const width = at(this.#widths, index);
      const all = charactersOf(textOf(column));
      if (column.leastWidth === undefined) return " ".repeat(Math.max(0, width - all.length)) + all.join("");
      const shown = this.#limited ? shortened(all, width) : all;
      return shown.join("") + " ".repeat(Math.max(0, width - shown.length));
    });
    return `${cells.join(GAP).trimEnd()}\n`;
  }
}

/** Splits a string into characters, with terminal controls replaced. */
function charactersOf(text: string): string[] {
  return [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd")];
}

/** Shortens text in the middle, because ids often start with the same prefix. */
function shortened(characters: readonly string[], width: number): readonly string[] {
  if (characters.length <= width) return characters;
  const end = Math.floor((width - 1) / 2);
  return [...characters.slice(0, width - 1 - end), "…", ...characters.slice(characters.length - end)];
}
