import type { CampaignResult } from "./campaign.js";

const HEAD = ["target", "inputs", "per second", "new in corpus", "slowest", "too slow", "failures"];

/** Formats results by target as a table. */
export function resultTable(results: ReadonlyMap<string, CampaignResult>): string {
  const rows = [...results].map(([name, result]) => {
    const { inputs, seconds, kept, slowestMs, slow, findings } = result;
    const rate = Math.round(inputs / Math.max(seconds, 0.001));
    return [
      name,
      inputs.toLocaleString("en-US"),
      rate.toLocaleString("en-US"),
      String(kept.length),
      `${Math.round(slowestMs)} ms`,
      String(slow.length),
      String(findings.length),
    ];
  });
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ")).join("\n");
}
