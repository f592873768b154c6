import type { ReactNode } from "react";
import { formatPoints } from "../../numbers/format-number.js";

/** Difference between two percentages, in percentage points. */
export function Difference({ from, to }: { from: number | undefined; to: number | undefined }): ReactNode {
  if (from === undefined || to === undefined) return "–";
  return <span className="difference">{formatPoints(to - from)}</span>;
}
