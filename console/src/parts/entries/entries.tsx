import type { ReactNode } from "react";
import { useEntries } from "../../api/queries.js";
import { Card, CardHead } from "../../ui/elements/card.js";
import { isPlaceGone } from "../../ui/states/failure.js";
import { Loaded } from "../../ui/states/loaded.js";
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
  const page = useEntries({ ...selection, pageSize: PAGE_SIZE, pageToken: pages.pageToken });
  return (
    <Card labelledBy="entries-title">
      <CardHead id="entries-title" title="Entries">
        <p className="soft">
          As the service lists them: one for each day and label, newest day first. Days in Los Angeles time. A
          dash stands where nothing was accepted that there could be a share of.
        </p>
      </CardHead>
      <TakeAway />
      <Loaded
        query={page}
        height={HEIGHT}
        retry={isPlaceGone(page.error) ? pages.restart : () => void page.refetch()}
      >
        {({ entries, nextPageToken }) =>
          entries.length === 0 ? (
            <NoEntries {...selection} />
          ) : (
            <div className={styles.paged}>
              <DataTable
                // A new page starts at the top of the table.
                key={pages.index}
                caption="Entries"
                columns={COLUMNS}
                rows={entries}
                rowKey={keyOf}
                maxHeight={HEIGHT}
              />
              <PageControls
                pages={pages}
                first={pages.index * PAGE_SIZE + 1}
                count={entries.length}
                nextPageToken={nextPageToken}
                busy={page.isPlaceholderData}
              />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
