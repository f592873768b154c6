import { MAX_VIOLATIONS } from "../../../limits/request-limits.js";
import { mergedStates, statesOf } from "../../../store/testing/partial-state.js";
import type { ParsedSegment } from "../parse-segment.js";

/** Joins the results of all segments of a body. How the body was split does not affect the result. */
export function joined(segments: readonly ParsedSegment[]) {
  let lines = 0;
  const parts = segments.map((segment) => {
    const before = lines;
    lines += segment.lines;
    return {
      ...segment,
      violations: segment.violations.map((violation) => ({ ...violation, line: violation.line + before })),
      eventLines: Array.from(segment.events.line, (line) => line + before),
    };
  });
  const sum = (of: (segment: ParsedSegment) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    lines,
    states: mergedStates(parts.flatMap(({ block }) => statesOf(block))),
    eventLines: parts.flatMap(({ eventLines }) => eventLines),
    optedOut: sum(({ optedOut }) => optedOut),
    invalidLines: sum(({ invalidLines }) => invalidLines),
    violations: parts.flatMap(({ violations }) => violations).slice(0, MAX_VIOLATIONS),
  };
}
