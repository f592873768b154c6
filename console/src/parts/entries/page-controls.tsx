import type { ReactNode } from "react";
import { formatCount } from "../../model/numbers/format-number.js";
import { CardActions } from "../../ui/elements/card.js";
import type { Pages } from "./use-pages.js";

/** States which entries are shown, and leads to the pages before and after. */
export function PageControls({
  pages,
  first,
  count,
  nextPageToken,
  busy,
}: {
  pages: Pages;
  /** Number of the first entry shown, from 1. */
  first: number;
  /** Number of entries shown. */
  count: number;
  nextPageToken: string | undefined;
  /** True while another page is loading. */
  busy: boolean;
}): ReactNode {
  const last = first + count - 1;
  // Uses `aria-disabled`: a disabled button would lose the focus at either end of the list.
  const hasPrevious = pages.index > 0 && !busy;
  const hasNext = nextPageToken !== undefined && !busy;
  return (
    <nav aria-label="Pages of entries">
      <CardActions>
        <button
          type="button"
          aria-disabled={!hasPrevious}
          onClick={() => {
            if (hasPrevious) pages.previous();
          }}
        >
          Previous
        </button>
        <button
          type="button"
          aria-disabled={!hasNext}
          onClick={() => {
            if (hasNext) pages.next(nextPageToken);
          }}
        >
          Next
        </button>
        <span role="status" className="small soft">
          {!busy &&
            `Entries ${formatCount(first)} to ${formatCount(last)}${nextPageToken === undefined ? ` of ${formatCount(last)}` : ", more follow"}`}
        </span>
      </CardActions>
    </nav>
  );
}
