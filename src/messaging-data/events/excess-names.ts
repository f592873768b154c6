import { MAX_VIOLATIONS } from "../../limits/request-limits.js";
import { at } from "../../model/collections.js";
import type { NameLimits } from "../../model/names.js";
import { flagsOf, type LeftOut, type StateBlock, statesWithout } from "../../store/state-block.js";
import type { LineViolation } from "./event-line.js";
import type { EventLines } from "./event-scanner.js";
import type { ParsedImport } from "./parse-events.js";

/** Adds a violation for each line with a new app or label that exceeds the project's limits. */
export function withExcessReported(parsed: ParsedImport, excess: LeftOut, limits: NameLimits): ParsedImport {
  const violations: LineViolation[] = [];
  let { invalidLines } = parsed;
  let linesBefore = 0;
  for (const { block, events, lines } of parsed.parts) {
    forEachIn(excess, block, events, (row, isAppOut, isLabelOut) => {
      invalidLines++;
      if (violations.length >= MAX_VIOLATIONS) return;
      const line = linesBefore + at(events.line, row);
      if (isAppOut) violations.push({ line, field: "appId", description: excessApp(limits.maxApps) });
      if (isLabelOut)
        violations.push({ line, field: "analyticsLabel", description: excessLabel(limits.maxLabels) });
    });
    linesBefore += lines;
  }
  const all = [...parsed.violations, ...violations].sort((a, b) => a.line - b.line);
  return { ...parsed, violations: all.slice(0, MAX_VIOLATIONS), invalidLines };
}

/** Returns a parsed import's events, without lines that have excess names. */
export function blocksWithout(excess: LeftOut, { parts }: ParsedImport): readonly StateBlock[] {
  return parts.map(({ block, events }) => {
    const days = new Map(block.days);
    let leftOut = 0;
    forEachIn(excess, block, events, (row) => {
      const day = at(events.day, row);
      const others = (days.get(day) ?? 0) - 1;
      if (others > 0) days.set(day, others);
      else days.delete(day);
      leftOut++;
    });
    return leftOut === 0 ? block : statesWithout(excess, block, days);
  });
}

/** Calls `visit` for each event with an app or label that exceeds the project's limits. */
function forEachIn(
  { apps, labels }: LeftOut,
  block: StateBlock,
  events: EventLines,
  visit: (row: number, isAppOut: boolean, isLabelOut: boolean) => void,
): void {
  const [appsOut, labelsOut] = [flagsOf(block.apps, apps), flagsOf(block.labels, labels)];
  if (!appsOut.includes(1) && !labelsOut.includes(1)) return;
  for (let row = 0; row < events.line.length; row++) {
    const isAppOut = appsOut[at(events.app, row)] === 1;
    const isLabelOut = labelsOut[at(events.label, row)] === 1;
    if (isAppOut || isLabelOut) visit(row, isAppOut, isLabelOut);
  }
}

const excessLabel = (max: number): string =>
  `is a new label, but the project may have at most ${max} distinct labels. The usual cause is a label that contains a message id: ` +
  "use the same label for all messages that belong together";

const excessApp = (max: number): string =>
  `is a new app, but the project may have at most ${max} apps. The usual cause is an app id that contains an installation or message id: ` +
  "use the app's own id";
