import type { ReactNode } from "react";
import { type KeyFigure, keyFiguresOf } from "../../model/figures/key-figures.js";
import { formatChange, formatCount, formatPercent, formatPoints } from "../../model/numbers/format-number.js";
import { figureLength } from "../overview/figure-length.js";
import type { Side } from "./side.js";

/** The key figures of both sides, and the difference of the right one from the left. */
export function ComparedFigures({ sides: [left, right] }: { sides: readonly [Side, Side] }): ReactNode {
  const leftFigures = keyFiguresOf(left.total, undefined);
  return (
    <section className="key-figures" aria-labelledby="compared-figures">
      <h2 id="compared-figures">
        {left.title} <span className="soft">against</span> {right.title}
      </h2>
      <dl>
        {keyFiguresOf(right.total, left.total).map((figure, index) => (
          <div key={figure.title} className="key-figure">
            <dt>{figure.title}</dt>
            <dd className="compared-value" style={figureLength(textOf(leftFigures[index]))}>
              <span className="visually-hidden">{left.title}: </span>
              {textOf(leftFigures[index])}
            </dd>
            <dd className="compared-value" style={figureLength(textOf(figure))}>
              <span className="visually-hidden">{right.title}: </span>
              {textOf(figure)}
            </dd>
            <dd className="key-figure-change">{changeOf(figure)}</dd>
          </div>
        ))}
      </dl>
      <p className="soft small">
        First {left.title}, then {right.title}, all days together; below them, by how much the second differs.
        Shares are of accepted messages. Days in Los Angeles time.
      </p>
    </section>
  );
}

function textOf(figure: KeyFigure | undefined): string {
  if (figure?.value === undefined) return "–";
  return figure.of === undefined ? formatCount(figure.value) : formatPercent(figure.value);
}

function changeOf({ change, of }: KeyFigure): string {
  if (change === undefined) return "no difference to tell";
  return of === undefined ? formatChange(change) : formatPoints(change);
}
