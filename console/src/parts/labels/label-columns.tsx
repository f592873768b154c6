import type { ReactNode } from "react";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { DROPS } from "#console/model/numbers/categories.js";
import { acceptedOf, countIn, notificationsOf, percentOf } from "#console/model/numbers/counts.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import type { Sorting } from "#console/model/view/view.js";
import { isFound, type TableColumn } from "#console/ui/tables/rows.js";
import { labelText } from "#src/presentation/field-text.js";
import { LabelName } from "../label-name.js";
import { targetColumn } from "../targets/target-column.js";
import styles from "./label-columns.module.css";

/** Labels with the most excess messages first. */
export const DEFAULT_SORTING: Sorting = { column: "excess", descending: true };

/** Columns shown by default, by id. */
export const FIRST_COLUMNS: ReadonlySet<string> = new Set([
  "label",
  "accepted",
  "excess",
  "undelivered",
  "undeliveredShare",
  "trend",
  "delivered",
  "usual",
  "dropped",
]);

/** Returns true if a search finds a label. */
export const isLabelFound = ({ label }: { readonly label: string }, search: string): boolean =>
  isFound(labelText(label), search);

const ofAccepted = (count: number, { counts }: LabelRow): number | undefined =>
  percentOf(count, acceptedOf(counts));

function countColumn(
  id: string,
  title: string,
  meaning: string,
  countOf: (row: LabelRow) => number,
): TableColumn<LabelRow> {
  return {
    id,
    title,
    meaning,
    kind: "number",
    cellOf: (row) => formatCount(countOf(row)),
    sortKeyOf: countOf,
  };
}

function shareColumn(
  id: string,
  title: string,
  meaning: string,
  countOf: (row: LabelRow) => number,
  isGood = false,
): TableColumn<LabelRow> {
  const shareOf = (row: LabelRow): number | undefined => ofAccepted(countOf(row), row);
  return {
    id,
    title,
    meaning: `${meaning} In percent of accepted messages.`,
    group: "Of accepted messages",
    kind: "number",
    leastFirst: isGood,
    cellOf: (row) => formatPercent(shareOf(row)),
    sortKeyOf: shareOf,
  };
}

/**
 * Returns the label table's columns.
 *
 * @param tick renders a label's checkbox
 * @param trend renders a label's small chart
 */
export const labelColumns = (
  tick: (row: LabelRow) => ReactNode,
  trend: (row: LabelRow) => ReactNode,
): readonly TableColumn<LabelRow>[] => [
  {
    id: "label",
    title: "Label",
    kind: "text",
    cellOf: (row) => (
      <span className={styles.cell}>
        {tick(row)}
        <LabelName label={row.label} />
      </span>
    ),
    sortKeyOf: ({ label }) => label,
  },
  countColumn("accepted", "Messages", "Accepted messages.", ({ counts }) => acceptedOf(counts)),
  countColumn(
    "excess",
    "Beyond usual",
    "Excess messages in this label's incidents on these days: more than usual were not delivered or had another outcome.",
    ({ excess }) => excess,
  ),
  countColumn(
    "undelivered",
    "Undelivered",
    "Messages accepted but not delivered on the same day: pending, collapsed, dropped or unaccounted for.",
    ({ undelivered }) => undelivered,
  ),
  {
    id: "undeliveredShare",
    title: "Of all undelivered",
    meaning:
      "This label's share of all undelivered messages shown. The tick marks its share of accepted messages.",
    kind: "number",
    cellOf: ({ undeliveredShare, acceptedShare }) => (
      <ShareBar share={undeliveredShare} expected={acceptedShare} />
    ),
    sortKeyOf: ({ undeliveredShare }) => undeliveredShare,
  },
  targetColumn(),
  { id: "trend", title: "Delivered by day", kind: "text", cellOf: trend },
  shareColumn(
    "delivered",
    "Delivered",
    "Reached the device.",
    ({ counts }) => countIn(counts, "delivered"),
    true,
  ),
  {
    id: "usual",
    title: "Usual",
    meaning:
      "Delivered share on days without an incident of this label or the app, here and in the 28 days before.",
    group: "Of accepted messages",
    kind: "number",
    cellOf: ({ usual }) => formatPercent(usual),
    sortKeyOf: ({ usual }) => usual,
  },
  shareColumn(
    "noDelay",
    "No delay",
    "Delivered immediately.",
    ({ counts }) => countIn(counts, "deliveredNoDelay"),
    true,
  ),
  shareColumn("pending", "Pending", "Not yet delivered when the day ended.", ({ counts }) =>
    countIn(counts, "pending"),
  ),
  shareColumn("collapsed", "Collapsed", "Replaced by a later message.", ({ counts }) =>
    countIn(counts, "collapsed"),
  ),
  shareColumn("dropped", "Dropped", "Dropped for any reason.", ({ dropped }) => dropped),
  shareColumn("unaccounted", "Unaccounted", "No event reports an outcome.", ({ unaccounted }) => unaccounted),
  countColumn(
    "notifications",
    "Notifications",
    "Accepted messages that carry a notification.",
    ({ counts }) => notificationsOf(counts),
  ),
  ...DROPS.map(({ name, title, meaning }) =>
    shareColumn(name, title, meaning, ({ counts }) => countIn(counts, name)),
  ),
];

/** A share as a number and a bar, with a tick at the expected share if all labels performed equally. */
function ShareBar({
  share,
  expected,
}: {
  /** In percent. */
  share: number | undefined;
  /** In percent. */
  expected: number | undefined;
}): ReactNode {
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden="true">
        {share !== undefined && <span className={styles.fill} style={{ width: `${share}%` }} />}
        {expected !== undefined && <span className={styles.mark} style={{ left: `${expected}%` }} />}
      </span>
      <span>{formatPercent(share)}</span>
    </span>
  );
}
