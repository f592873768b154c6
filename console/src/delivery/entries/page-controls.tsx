import type { ReactNode } from "react";
import { formatCount } from "../../numbers/format-number.js";
import type { Pages } from "./use-pages.js";

/** Says which entries are shown, and goes to those before and after. */
export function PageControls({
  pages,
  first,
  count,
  nextPageToken,
  busy,
}: {
  pages: Pages;
  /** The number of the first entry that is shown, from 1. */
  first: number;
  /** How many are shown. */
  count: number;
  nextPageToken: string | undefined;
  /** Whether another page is on its way. */
  busy: boolean;
}): ReactNode {
  const last = first + count - 1;
  // A button that is out of use keeps the focus, so that keys go on working at either end.
  const hasPrevious = pages.index > 0 && !busy;
  const hasNext = nextPageToken !== undefined && !busy;
  return (
    <nav className="card-actions" aria-label="Pages of entries">
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
    </nav>
  );
}
