import type { ReactNode } from "react";
import type { LabelRow } from "../../model/figures/label-row.js";
import { formatCount, formatPercent } from "../../model/numbers/format-number.js";
import { labelText } from "../../model/view/label-text.js";

/** Names the label that loses the most messages, and explains the table. */
export function Blame({ rows }: { rows: readonly LabelRow[] }): ReactNode {
  const total = rows.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const worst = rows.reduce<LabelRow | undefined>(
    (most, row) => (row.undelivered > (most?.undelivered ?? 0) ? row : most),
    undefined,
  );
  return (
    <>
      {worst === undefined ? (
        <p>Every message was delivered by the end of its day.</p>
      ) : (
        <p>
          <strong>{labelText(worst.label)}</strong> has {formatPercent(worst.undeliveredShare)} of the{" "}
          {formatCount(total)} messages that were not delivered by the end of their day, and{" "}
          {formatPercent(worst.acceptedShare)} of those accepted.
        </p>
      )}
      <p className="small soft">
        Undelivered messages are pending, collapsed, dropped or unaccounted for. The mark on a bar is the part
        that the label has in accepted messages: a bar that reaches beyond it loses more than its part.
      </p>
    </>
  );
}
