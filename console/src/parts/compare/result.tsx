import type { ReactNode } from "react";
import { OUTCOMES } from "#console/model/numbers/categories.js";
import { formatCount, formatPercent, formatUnsignedPoints } from "#console/model/numbers/format-number.js";
import type { ComparedCategory } from "./comparison.js";
import styles from "./result.module.css";
import type { Side } from "./side.js";

/** The result of the comparison in plain words: the delivered shares, and the number of categories that differ. */
export function Result({
  sides: [left, right],
  categories,
}: {
  sides: readonly [Side, Side];
  categories: readonly ComparedCategory[];
}): ReactNode {
  const delivered = categories.find(({ key }) => key === "delivered");
  const known = categories.filter(({ difference }) => difference.isBeyondChance !== undefined);
  const clear = known.filter(({ difference }) => difference.isBeyondChance);
  return (
    <section className={styles.result} aria-labelledby="compare-title">
      <h2 id="compare-title">
        {left.title} <span className="soft">against</span> {right.title}
      </h2>
      {delivered?.points !== undefined && (
        <p>
          Delivered: {formatPercent(delivered.left)} and {formatPercent(delivered.right)} {OUTCOMES.of}
          {movementText(delivered.points)}. {verdictOf(delivered)}{" "}
          {known.length > 0 && (
            <span className="soft">
              {clear.length === 0
                ? "No category differs"
                : `${formatCount(clear.length)} of ${formatCount(known.length)} categories differ`}{" "}
              by more than chance explains.
            </span>
          )}
        </p>
      )}
    </section>
  );
}

const movementText = (points: number): string =>
  points === 0 ? "" : `, ${formatUnsignedPoints(Math.abs(points))} ${points > 0 ? "more" : "less"}`;

function verdictOf({ difference: { isBeyondChance } }: ComparedCategory): string {
  if (isBeyondChance === undefined) return "Too few days have messages to tell a difference from chance.";
  return isBeyondChance
    ? "The difference is larger than chance explains."
    : "Chance may explain the difference.";
}
