import type { ReactNode } from "react";
import { formatCount } from "#console/model/numbers/format-number.js";
import { CardActions } from "#console/ui/elements/card.js";
import { changeView } from "#console/ui/view/use-view.js";

/** States which entries are shown, and leads to the pages before and after. */
export function PageControls({
  number,
  first,
  count,
  isLast,
  busy,
}: {
  /** Number of the page, from 1. */
  number: number;
  /** Number of the first entry shown, from 1. */
  first: number;
  /** Number of entries shown. */
  count: number;
  /** True if no page follows. */
  isLast: boolean;
  /** True while another page is loading. */
  busy: boolean;
}): ReactNode {
  const last = first + count - 1;
  // Uses `aria-disabled`: a disabled button would lose the focus at either end of the list.
  const hasPrevious = number > 1 && !busy;
  const hasNext = !isLast && !busy;
  return (
    <nav aria-label="Pages of entries">
      <CardActions>
        <button
          type="button"
          aria-disabled={!hasPrevious}
          onClick={() => {
            if (hasPrevious) changeView({ page: number - 1 });
          }}
        >
          Previous
        </button>
        <button
          type="button"
          aria-disabled={!hasNext}
          onClick={() => {
            if (hasNext) changeView({ page: number + 1 });
          }}
        >
          Next
        </button>
        <span role="status" className="small soft">
          {!busy &&
            `Entries ${formatCount(first)} to ${formatCount(last)}${isLast ? ` of ${formatCount(last)}` : ", more follow"}`}
        </span>
      </CardActions>
    </nav>
  );
}
