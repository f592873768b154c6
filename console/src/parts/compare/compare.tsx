import type { ReactNode } from "react";
import { useView } from "#console/ui/view/use-view.js";
import { CompareLabels } from "./compare-labels.js";
import { CompareRanges } from "./compare-ranges.js";
import { Contest } from "./contest.js";

/** Two labels or two ranges, side by side. */
export default function Compare(): ReactNode {
  const { comparison } = useView();
  return comparison.kind === "ranges" ? (
    <CompareRanges other={comparison.other}>
      {(left, right) => <Contest left={left} right={right} />}
    </CompareRanges>
  ) : (
    <CompareLabels left={comparison.left} right={comparison.right}>
      {(left, right) => <Contest left={left} right={right} />}
    </CompareLabels>
  );
}
