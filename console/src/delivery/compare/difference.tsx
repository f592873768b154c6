import type { ReactNode } from "react";
import { formatPoints } from "../../numbers/format-number.js";

/** How many points a percentage is above another one. */
export function Difference({ from, to }: { from: number | undefined; to: number | undefined }): ReactNode {
  if (from === undefined || to === undefined) return "–";
  return <span className="difference">{formatPoints(to - from)}</span>;
}
