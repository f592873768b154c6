import { valueAt } from "../entry-columns.js";
import type { FigureField } from "./figure-fields.js";
import { tagOf, varintSize, WireType, type WireWriter } from "./wire-writer.js";

interface BinaryPercent {
  readonly tag: number;
  /** Size of the encoded field, if it is constant, in bytes. */
  readonly size: number;
  readonly column: number;
}

/** A figure's field in the wire format of Protocol Buffers. */
export interface BinaryFigure {
  readonly tag: number;
  readonly tagSize: number;
  /** Index of the count in `EntryColumns.counts`, or of the group's denominator. */
  readonly column: number;
  readonly percents: readonly BinaryPercent[] | undefined;
}

const DOUBLE_SIZE = 8;

/** Prepares fields for the wire format, sorted by field number. */
export const binaryFigures = (fields: readonly FigureField[]): readonly BinaryFigure[] =>
  [...fields].sort((a, b) => a.field.number - b.field.number).map(binaryFigure);

function binaryFigure(figure: FigureField): BinaryFigure {
  const isCount = figure.kind === "count";
  const tag = tagOf(figure.field.number, isCount ? WireType.VARINT : WireType.BYTES);
  return {
    tag,
    tagSize: varintSize(tag),
    column: isCount ? figure.column : figure.denominator,
    percents: isCount
      ? undefined
      : figure.percents.map(({ field: { number }, column }) => {
          const tag = tagOf(number, WireType.DOUBLE);
          return { tag, size: varintSize(tag) + DOUBLE_SIZE, column };
        }),
  };
}

/** Encodes figures row by row. A row is first measured, then written. */
export class BinaryFigures {
  readonly #figures: readonly BinaryFigure[];
  /** Size of each figure in the current row, in bytes, without tag and length; -1 if the figure is omitted. */
  readonly #sizes: Int32Array;

  constructor(figures: readonly BinaryFigure[]) {
    this.#figures = figures;
    this.#sizes = new Int32Array(figures.length);
  }

  /** Measures a row. @returns the row's encoded size, in bytes. */
  measure(counts: readonly Float64Array[], row: number): number {
    const figures = this.#figures;
    let size = 0;
    for (let i = 0; i < figures.length; i++) {
      const figure = figures[i];
      if (figure === undefined) continue;
      const value = valueAt(counts[figure.column], row);
      let own = -1;
      if (value !== 0) {
        if (figure.percents === undefined) {
          own = varintSize(value);
          size += figure.tagSize + own;
        } else {
          own = 0;
          for (const percent of figure.percents)
            if (valueAt(counts[percent.column], row) !== 0) own += percent.size;
          size += figure.tagSize + varintSize(own) + own;
        }
      }
      this.#sizes[i] = own;
    }
    return size;
  }

  /** Writes the row that was measured last. */
  write(writer: WireWriter, counts: readonly Float64Array[], row: number): void {
    const figures = this.#figures;
    for (let i = 0; i < figures.length; i++) {
      const figure = figures[i];
      const size = this.#sizes[i] ?? -1;
      if (figure === undefined || size < 0) continue;
      const value = valueAt(counts[figure.column], row);
      writer.varint(figure.tag);
      if (figure.percents === undefined) {
        writer.varint(value);
        continue;
      }
      writer.varint(size);
      for (const { tag, column } of figure.percents) {
        const count = valueAt(counts[column], row);
        if (count === 0) continue;
        writer.varint(tag);
        writer.double((100 * count) / value);
      }
    }
  }
}
