import { type ReactNode, useState } from "react";
import { isoDate } from "../../model/days/day-range.js";
import { longDay } from "../../model/days/format-day.js";
import { RULE_IN_WORDS, type Standout } from "../../model/figures/standout.js";
import { formatPercent } from "../../model/numbers/format-number.js";
import { Button } from "../../ui/elements/button.js";
import { Card } from "../../ui/elements/card.js";
import { ViewLink } from "../../ui/view/view-link.js";
import styles from "./standout-list.module.css";

/** Days in sight at first on a wide screen, as in the style sheet. A narrow one shows one. */
const SHOWN = 3;

/** The days that stand out, with the rule that picks them. */
export function StandoutList({ standouts }: { standouts: readonly Standout[] | undefined }): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <Card className={styles.card} labelledBy="standouts">
      <div className={styles.rule}>
        <h2 id="standouts">What stands out</h2>
        <p className="soft small">{RULE_IN_WORDS}</p>
      </div>
      <section className={styles.days} aria-label="Days that stand out">
        {standouts === undefined ? null : standouts.length === 0 ? (
          <p className={styles.none}>No day of the range stands out.</p>
        ) : (
          <ul data-all={showsAll || undefined}>
            {standouts.map((standout) => (
              <StandoutItem key={standout.day} standout={standout} />
            ))}
          </ul>
        )}
        {standouts !== undefined && standouts.length > 1 && (
          <Button
            look="small"
            className={styles.more}
            data-few={standouts.length <= SHOWN || undefined}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? "Show fewer" : `Show all ${standouts.length} days`}
          </Button>
        )}
      </section>
    </Card>
  );
}

function StandoutItem({ standout: { day, share, usual, expected } }: { standout: Standout }): ReactNode {
  return (
    <li className={styles.day}>
      <svg className={styles.mark} width="12" height="11" aria-hidden="true">
        <path d="M0,0h12l-6,11z" />
      </svg>
      <time dateTime={isoDate(day)}>{longDay(day)}</time>
      <p>
        {formatPercent(share)} delivered{" "}
        <span className={styles.expected}>
          {formatPercent(Math.max(0, expected))} or more expected, usually {formatPercent(usual)}
        </span>
      </p>
      <ViewLink change={{ tab: "labels", range: { kind: "own", range: { first: day, last: day } } }}>
        Which label is to blame?<span className="visually-hidden"> {longDay(day)}</span>
      </ViewLink>
    </li>
  );
}
