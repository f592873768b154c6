import type { ReactNode } from "react";
import { isoDate } from "../../days/day-range.js";
import { longDay } from "../../days/format-day.js";
import { formatPercent } from "../../numbers/format-number.js";
import { ViewLink } from "../../view/view-link.js";
import { RULE_IN_WORDS, type Standout } from "./standout.js";

/** The days that stand out, and the rule by which they do. */
export function StandoutList({ standouts }: { standouts: readonly Standout[] | undefined }): ReactNode {
  return (
    <section className="card standouts" aria-labelledby="standouts">
      <div className="standouts-rule">
        <h2 id="standouts">What stands out</h2>
        <p className="soft small">{RULE_IN_WORDS}</p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <section className="standouts-days" aria-label="Days that stand out" tabIndex={0}>
        {standouts === undefined ? null : standouts.length === 0 ? (
          <p className="standouts-none">No day of the range stands out.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Delivered</th>
                <th scope="col">Expected</th>
                <th scope="col">
                  <span className="visually-hidden">Cause</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {standouts.map((standout) => (
                <StandoutRow key={standout.day} standout={standout} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </section>
  );
}

function StandoutRow({ standout: { day, share, usual, expected } }: { standout: Standout }): ReactNode {
  return (
    <tr>
      <th scope="row">
        <svg className="standouts-mark" width="12" height="11" aria-hidden="true">
          <path d="M0,0h12l-6,11z" />
        </svg>
        <time dateTime={isoDate(day)}>{longDay(day)}</time>
      </th>
      <td>{formatPercent(share)}</td>
      <td>
        {formatPercent(Math.max(0, expected))} or more
        <span className="soft"> (usually {formatPercent(usual)})</span>
      </td>
      <td>
        <ViewLink change={{ tab: "labels", range: { kind: "own", range: { first: day, last: day } } }}>
          Which label is to blame<span className="visually-hidden"> for {longDay(day)}</span>?
        </ViewLink>
      </td>
    </tr>
  );
}
