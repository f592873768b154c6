import type { ReactNode } from "react";
import { RESULT_TITLES, resultRank, type Target, type TargetResult } from "#console/model/figures/target.js";
import { formatPercent } from "#console/model/numbers/format-number.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import styles from "./target-column.module.css";

interface TargetRow {
  readonly target: Target | undefined;
}

export const TARGET_COLUMN = "target";

/** Returns true if any row has a target, so that the column is worth its space. */
export const haveTargets = (rows: readonly TargetRow[]): boolean =>
  rows.some(({ target }) => target !== undefined);

/** Creates the column with each row's target and its result. */
export const targetColumn = <R extends TargetRow>(): TableColumn<R> => ({
  id: TARGET_COLUMN,
  title: "Target",
  meaning: "Minimum delivered share, and whether the last complete day reached it.",
  kind: "text",
  cellOf: ({ target }) => <TargetStatus target={target} />,
  sortKeyOf: ({ target }) => resultRank(target),
});

/** A target's result on the last complete day, as an icon and text. A dash without a target. */
function TargetStatus({ target }: TargetRow): ReactNode {
  if (target === undefined) return <span className="soft">–</span>;
  const { result, delivered, explanation } = target;
  return (
    <span className={styles.status} title={explanation} data-result={result}>
      {result !== undefined && (
        <svg className={styles.icon} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path d={ICONS[result]} />
        </svg>
      )}
      <span>
        {result === undefined ? "" : `${RESULT_TITLES[result]}, `}
        {formatPercent(delivered)}
        <span className="visually-hidden"> {explanation}</span>
      </span>
    </span>
  );
}

/** A cross, a dash and a tick. */
const ICONS: Readonly<Record<TargetResult, string>> = {
  MISSED: "M2 2 10 10M10 2 2 10",
  TOO_FEW_MESSAGES: "M2 6H10",
  MET: "M1.5 6.5 4.5 9.5 10.5 2.5",
};
