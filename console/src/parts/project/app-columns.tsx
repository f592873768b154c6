import type { ReactNode } from "react";
import { type AppRow, reliableChange } from "#console/model/figures/app-row.js";
import { FEW } from "#console/model/numbers/counts.js";
import { formatCount, formatPercent, formatPoints } from "#console/model/numbers/format-number.js";
import type { Sorting, View } from "#console/model/view/view.js";
import { Copied } from "#console/ui/elements/copied.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { targetColumn } from "../targets/target-column.js";
import styles from "./app-columns.module.css";

/** Apps with the most excess messages first. */
export const WORST_FIRST: Sorting = { column: "incidents", descending: true };

const FEW_MESSAGES = `Based on fewer than ${formatCount(FEW)} messages in the earlier range.`;

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
  {
    id: "messages",
    title: "Messages",
    meaning: "Accepted messages.",
    kind: "number",
    cellOf: ({ accepted }) => formatCount(accepted),
    sortKeyOf: ({ accepted }) => accepted,
  },
  {
    id: "deliveredShare",
    title: "Delivered",
    meaning: "Reached the device. In percent of accepted messages.",
    kind: "number",
    leastFirst: true,
    cellOf: ({ delivered }) => formatPercent(delivered),
    sortKeyOf: ({ delivered }) => delivered,
  },
  {
    id: "change",
    title: "Change",
    meaning:
      "Change of the delivered share since the earlier range, in percentage points. Gray if based on few messages.",
    kind: "number",
    leastFirst: true,
    cellOf: ({ change, isUncertain }) =>
      change === undefined ? (
        "–"
      ) : isUncertain ? (
        <span className="soft" title={FEW_MESSAGES}>
          {formatPoints(change)}
          <span className="visually-hidden"> {FEW_MESSAGES}</span>
        </span>
      ) : (
        formatPoints(change)
      ),
    sortKeyOf: reliableChange,
  },
  targetColumn(),
  { id: "trend", title: "Delivered by day", kind: "text", cellOf: trend },
];
