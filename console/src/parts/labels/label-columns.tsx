import type { ReactNode } from "react";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { DROPS } from "#console/model/numbers/categories.js";
import { percentOf } from "#console/model/numbers/counts.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import type { Sorting } from "#console/model/view/view.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { LabelName } from "../label-name.js";
import styles from "./label-columns.module.css";

/** Puts the label that loses the most messages beyond the usual ones on top. */
export const DEFAULT_SORTING: Sorting = { column: "excess", descending: true };

/** Ids of the columns that are shown at first. */
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

const ofAccepted = (count: number, { counts }: LabelRow): number | undefined =>
  percentOf(count, counts.countMessagesAccepted ?? 0);

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
  countOf: (row: LabelRow) => number | undefined,
  isGood = false,
): TableColumn<LabelRow> {
  const shareOf = (row: LabelRow): number | undefined => ofAccepted(countOf(row) ?? 0, row);
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
 * The columns of the table of labels.
 * @param tick renders the checkbox before a label
 * @param trend renders the chart of a label's days
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
  countColumn(
    "accepted",
    "Messages",
    "Accepted messages.",
    ({ counts }) => counts.countMessagesAccepted ?? 0,
  ),
  countColumn(
    "excess",
    "Beyond usual",
    "Messages beyond the usual ones in the incidents of the label: not delivered, or with the outcome that rose.",
    ({ excess }) => excess,
  ),
  countColumn(
    "undelivered",
    "Undelivered",
    "Messages accepted and not delivered by the end of their day: pending, collapsed, dropped or unaccounted for.",
    ({ undelivered }) => undelivered,
  ),
  {
    id: "undeliveredShare",
    title: "Of all undelivered",
    meaning:
      "The part that the label has in the undelivered messages of all labels shown. The mark is its part in the accepted ones.",
    kind: "number",
    cellOf: ({ undeliveredShare, acceptedShare }) => (
      <ShareBar share={undeliveredShare} expected={acceptedShare} />
    ),
    sortKeyOf: ({ undeliveredShare }) => undeliveredShare,
  },
  { id: "trend", title: "Delivered by day", kind: "text", cellOf: trend },
  shareColumn("delivered", "Delivered", "Reached the device.", ({ counts }) => counts.delivered, true),
  {
    id: "usual",
    title: "Usual",
    meaning: "The usual delivered share: that of the label's incident, otherwise that of the 28 days before.",
    group: "Of accepted messages",
    kind: "number",
    cellOf: ({ usual }) => formatPercent(usual),
    sortKeyOf: ({ usual }) => usual,
  },
  shareColumn(
    "noDelay",
    "No delay",
    "Delivered, and nothing held it up.",
    ({ counts }) => counts.deliveredNoDelay,
    true,
  ),
  shareColumn("pending", "Pending", "Still waiting at the end of the day.", ({ counts }) => counts.pending),
  shareColumn("collapsed", "Collapsed", "Replaced by a later message.", ({ counts }) => counts.collapsed),
  shareColumn("dropped", "Dropped", "Dropped for any reason.", ({ dropped }) => dropped),
  shareColumn(
    "unaccounted",
    "Unaccounted",
    "No event says what became of them.",
    ({ unaccounted }) => unaccounted,
  ),
  countColumn(
    "notifications",
    "Notifications",
    "Accepted messages that carry a notification.",
    ({ counts }) => counts.countNotificationsAccepted ?? 0,
  ),
  ...DROPS.map(({ name, title, meaning }) => shareColumn(name, title, meaning, ({ counts }) => counts[name])),
];

/**
 * A share as a number and as the filled part of a bar, with a mark at the value expected if all labels did
 * equally well.
 */
export function ShareBar({
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
