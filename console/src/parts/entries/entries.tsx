import { type ReactNode, useMemo } from "react";
import { formatCount } from "#console/model/numbers/format-number.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import { changeView, useView, ViewLink } from "#console/ui/view/use-view.js";
import { NoEntries } from "../placeholders.js";
import { useSelection } from "../selection.js";
import styles from "./entries.module.css";
import { COLUMNS, keyOf } from "./entry-columns.js";
import { ExportBar } from "./export-bar.js";
import { usePage } from "./use-page.js";

const PAGE_SIZE = 100;
/** Height of the table in pixels. */
const HEIGHT = 640;

/** All entries, as the service lists them. */
export default function Entries(): ReactNode {
  const selection = useSelection();
  const { page: number } = useView();
  const { data, queries, retry } = usePage({ ...selection, pageSize: PAGE_SIZE }, number);
  const now = useMemo(() => (data ? { ...data, selection, number } : undefined), [data, selection, number]);
  const shown = useKept(now, selection);
  return (
    <Card labelledBy="entries-title">
      <CardHead id="entries-title" title="Entries">
        <p className="soft">
          One entry per day and label, newest first. A dash means that there were no messages.
        </p>
      </CardHead>
      <ExportBar />
      {data === null ? (
        <NoPage number={number} />
      ) : (
        <Loaded shown={shown} queries={queries} height={HEIGHT} retry={retry}>
          {({ entries, nextPageToken, selection, number }) =>
            entries.length === 0 ? (
              <NoEntries {...selection} />
            ) : (
              <div className={styles.paged}>
                <DataTable
                  // Resets the scroll position.
                  key={number}
                  caption="Entries"
                  columns={COLUMNS}
                  rows={entries}
                  rowKey={keyOf}
                  maxHeight={HEIGHT}
                />
                <PageControls
                  number={number}
                  first={(number - 1) * PAGE_SIZE + 1}
                  count={entries.length}
                  isLast={nextPageToken === undefined}
                  busy={shown.isStale}
                />
              </div>
            )
          }
        </Loaded>
      )}
    </Card>
  );
}

/** Shown if the list has fewer pages than the URL asks for. */
const NoPage = ({ number }: { number: number }): ReactNode => (
  <Notice title={`Page ${number} does not exist`} height={HEIGHT}>
    <p>The list is shorter now than when the link was created.</p>
    <ViewLink change={{ page: 1 }}>Show the first page</ViewLink>
  </Notice>
);

/** Shows the entry numbers, and buttons for the previous and next page. */
function PageControls({
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
  count: number;
  /** True on the last page. */
  isLast: boolean;
  /** True while another page is loading. */
  busy: boolean;
}): ReactNode {
  const last = first + count - 1;
  // A disabled button would lose focus on the first or last page, so the buttons use `aria-disabled`.
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
            `Entries ${formatCount(first)} to ${formatCount(last)}${isLast ? ` of ${formatCount(last)}` : ", and more"}`}
        </span>
      </CardActions>
    </nav>
  );
}
