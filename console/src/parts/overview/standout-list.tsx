import type { ReactNode } from "react";
import { isoDate } from "../../model/days/day-range.js";
import { longDay } from "../../model/days/format-day.js";
import { RULE_IN_WORDS, type Standout } from "../../model/figures/standout.js";
import { formatPercent } from "../../model/numbers/format-number.js";
import { ViewLink } from "../../ui/view/view-link.js";

/** The days that stand out, with the rule that picks them. */
export function StandoutList({ standouts }: { standouts: readonly Standout[] | undefined }): ReactNode {
  return (
    <section className="card standouts" aria-labelledby="standouts">
      <div className="standouts-rule">
        <h2 id="standouts">What stands out</h2>
        <p className="soft small">{RULE_IN_WORDS}</p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
      <section className="standouts-days" aria-label="Days that stand out" tabIndex={0}>
        {standouts === undefined ? null : standouts.length === 0 ? (
          <p className="standouts-none">No day of the range stands out.</p>
        ) : (
          <ul>
            {standouts.map((standout) => (
              <StandoutItem key={standout.day} standout={standout} />
            ))}
          </ul>
        )}
      </section>
    </section>
  );
}

function StandoutItem({ standout: { day, share, usual, expected } }: { standout: Standout }): ReactNode {
  return (
    <li className="standout">
      <svg className="standouts-mark" width="12" height="11" aria-hidden="true">
        <path d="M0,0h12l-6,11z" />
      </svg>
      <time dateTime={isoDate(day)}>{longDay(day)}</time>
      <p>
        {formatPercent(share)} delivered
        <span className="standout-expected">
          {formatPercent(Math.max(0, expected))} or more expected, usually {formatPercent(usual)}
        </span>
      </p>
      <ViewLink change={{ tab: "labels", range: { kind: "own", range: { first: day, last: day } } }}>
        Which label is to blame?<span className="visually-hidden"> {longDay(day)}</span>
      </ViewLink>
    </li>
  );
}
