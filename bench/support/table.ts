import type { Measurement } from "./measurement.js";

const HEAD = ["What", "Waybill", "Reference", "Ratio", "Target", ""];
/** Widths of the columns in characters; a longer text is not cut. */
const WIDTHS = [66, 24, 24, 6, 17, 4];

/** Head of a measurement table that is readable as text and as Markdown. */
export const tableHead = (): string => `${line(HEAD)}\n${line(WIDTHS.map((width) => "-".repeat(width)))}`;

export const tableLine = ({ what, waybill, reference, ratio, target, isMet }: Measurement): string =>
  line([what, waybill, reference, ratio, target, isMet ? "ok" : "miss"]);

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join(" | ")} |`;
