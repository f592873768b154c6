import type { ReactNode } from "react";
import type { AppRow } from "#console/model/figures/app-row.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import type { Sorting, View } from "#console/model/view/view.js";
import { Copied } from "#console/ui/elements/copied.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { targetColumn } from "../targets/target-column.js";
import styles from "./app-columns.module.css";
import { shareColumns } from "./share-columns.js";

/** Apps with the most excess messages first. */
export const WORST_FIRST: Sorting = { column: "incidents", descending: true };

/** Opens another app. Labels belong to one app: others are dropped unless the app has them too. */
const viewOf = ({ app, hasLabels }: AppRow, change: Partial<View>): Partial<View> => ({
  app,
  ...(!hasLabels && { labels: undefined }),
  sorting: undefined,
  comparison: { kind: "labels", left: undefined, right: undefined },
  ...change,
});

/**
 * Returns the app table's columns.
 *
 * @param trend renders an app's small chart
 * @param unknown text for an unknown number of incidents
 */
export const appColumns = (
  trend: (row: AppRow) => ReactNode,
  unknown = "–",
): readonly TableColumn<AppRow>[] => [
  {
    id: "app",
    title: "App",
    kind: "text",
    cellOf: (row) => (
      <div className={styles.name}>
        <ViewLink change={viewOf(row, { tab: "overview" })} className={styles.app}>
          {row.name}
        </ViewLink>
        {row.name !== row.app && (
          <span className={styles.id}>
            <Copied name={`ID of ${row.name}`} text={row.app} isQuiet />
          </span>
        )}
      </div>
    ),
    sortKeyOf: ({ name }) => name.toLowerCase(),
  },
  {
    id: WORST_FIRST.column,
    title: "Ongoing incidents",
    meaning: "Ongoing incidents, including those that started before this range. Sorted by excess messages.",
    kind: "number",
    cellOf: (row) =>
      row.ongoing === undefined ? (
        unknown
      ) : row.ongoing === 0 ? (
        <span className="soft">0</span>
      ) : (
        <ViewLink
          change={{ ...viewOf(row, { tab: "labels" }), labels: undefined }}
          className={styles.incidents}
        >
          {formatCount(row.ongoing)}
          <span className="visually-hidden"> ongoing incidents of {row.name}</span>
        </ViewLink>
      ),
    sortKeyOf: ({ excess }) => excess,
  },
  ...shareColumns<AppRow>(),
  targetColumn(),
  { id: "trend", title: "Delivered by day", kind: "text", cellOf: trend },
];
