import { type ReactNode, useMemo, useState } from "react";
import { Button } from "../elements/basics.js";
import { countText } from "./rows.js";

/** Rows that match a search. Some are shown at first, and more on demand. */
export interface FoundRows<R> {
  readonly search: string;
  readonly setSearch: (search: string) => void;
  readonly found: readonly R[];
  readonly shown: readonly R[];
  /** Undefined if all are shown. */
  readonly showMore: (() => void) | undefined;
}

/**
 * Searches rows as the viewer types.
 *
 * @param rows in the order shown. Pass the same array on each render, so that the result stays the same too
 * @param matches the same function on each render
 * @param first number of rows shown at first
 * @param more number of rows that each click adds
 */
export function useFoundRows<R>(
  rows: readonly R[],
  matches: (row: R, search: string) => boolean,
  first: number,
  more = first,
): FoundRows<R> {
  const [search, setSearch] = useState("");
  const [count, setCount] = useState(first);
  const found = useMemo(() => rows.filter((row) => matches(row, search)), [rows, matches, search]);
  const shown = useMemo(() => found.slice(0, count), [found, count]);
  const showMore = shown.length < found.length ? () => setCount(count + more) : undefined;
  return { search, setSearch, found, shown, showMore };
}

/** The number of rows in view, and a button that shows more. */
export const ShownRows = ({
  rows: { shown, found, showMore },
  all,
  what,
  more = what,
}: {
  rows: FoundRows<unknown>;
  /** Number of rows without a search. */
  all: number;
  /** Name of the rows, such as `labels`. */
  what: string;
  /** Name of the rows on the button. */
  more?: string;
}): ReactNode => (
  <>
    <span className="small soft" role="status">
      {countText(shown.length, found.length, all, what)}
    </span>
    {showMore !== undefined && <Button onClick={showMore}>{`Show more ${more}`}</Button>}
  </>
);
