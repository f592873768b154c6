import { type ReactNode, useMemo } from "react";
import { useEntries } from "../../api/queries.js";
import { Card, CardHead } from "../../ui/elements/card.js";
import { isPlaceGone } from "../../ui/states/failure.js";
import { Loaded } from "../../ui/states/loaded.js";
import { useKept } from "../../ui/states/use-kept.js";
import { DataTable } from "../../ui/tables/data-table.js";
import { NoEntries } from "../no-entries.js";
import { useSelection } from "../selection.js";
import styles from "./entries.module.css";
import { COLUMNS, keyOf } from "./entry-columns.js";
import { PageControls } from "./page-controls.js";
import { TakeAway } from "./take-away.js";
import { usePages } from "./use-pages.js";

const PAGE_SIZE = 100;
/** Height of the table in pixels. */
const HEIGHT = 640;

/** All entries, as the service lists them. */
export default function Entries(): ReactNode {
  const selection = useSelection();
  const pages = usePages(JSON.stringify(selection));
  const { index } = pages;
  const page = useEntries({ ...selection, pageSize: PAGE_SIZE, pageToken: pages.pageToken });
  const now = useMemo(() => page.data && { ...page.data, selection, index }, [page.data, selection, index]);
  const shown = useKept(now, selection);
  return (
    <Card labelledBy="entries-title">
      <CardHead id="entries-title" title="Entries">
        <p className="soft">
          As the service lists them: one for each day and label, newest day first. Days in Los Angeles time. A
          dash means that nothing was accepted, which leaves no share to show.
        </p>
      </CardHead>
      <TakeAway />
      <Loaded
        shown={shown}
        queries={[page]}
        height={HEIGHT}
        retry={isPlaceGone(page.error) ? pages.restart : undefined}
      >
        {({ entries, nextPageToken, selection, index }) =>
          entries.length === 0 ? (
            <NoEntries {...selection} />
          ) : (
            <div className={styles.paged}>
              <DataTable
                // A new page starts at the top of the table.
                key={index}
                caption="Entries"
                columns={COLUMNS}
                rows={entries}
                rowKey={keyOf}
                maxHeight={HEIGHT}
              />
              <PageControls
                pages={pages}
                first={index * PAGE_SIZE + 1}
                count={entries.length}
                nextPageToken={nextPageToken}
                busy={shown.isStale}
              />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
