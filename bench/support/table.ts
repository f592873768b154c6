import type { Measurement } from "./measurement.js";

const HEAD = ["What", "Waybill", "Reference", "Ratio", "Reach", ""];

/** The measurements as a table that is readable as text and as Markdown. */
export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ what, waybill, reference, ratio, reach, reached }) => [
    what,
    waybill,
    reference,
    ratio,
    reach,
    reached ? "ok" : "miss",
  ]);
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, 2, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const render = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [render(HEAD), render(widths.map((width) => "-".repeat(width))), ...rows.map(render)].join("\n");
}
