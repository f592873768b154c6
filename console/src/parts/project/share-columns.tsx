import { reliableChange, type ShareFigures } from "#console/model/figures/app-row.js";
import { FEW } from "#console/model/numbers/counts.js";
import { formatCount, formatPercent, formatPoints } from "#console/model/numbers/format-number.js";
import type { TableColumn } from "#console/ui/tables/rows.js";

const FEW_MESSAGES = `Based on fewer than ${formatCount(FEW)} messages in the earlier range.`;

/** Returns columns for messages, the delivered share and its change. */
export const shareColumns = <R extends ShareFigures>(): readonly TableColumn<R>[] => [
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
];
