import type { ReactNode } from "react";
import { changeText, type KeyFigure, keyFiguresOf, valueText } from "../../model/figures/key-figures.js";
import { Figure, Figures, figureLength } from "../../ui/elements/figures.js";
import styles from "./compared-figures.module.css";
import { areAlike, type Side } from "./side.js";

/** The key figures of both sides, and the difference of the right one from the left. */
export function ComparedFigures({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const [left, right] = sides;
  const areSidesAlike = areAlike(sides);
  const leftFigures = keyFiguresOf(left.total, undefined);
  return (
    <Figures
      heading={
        <>
          {left.title} <span className="soft">against</span> {right.title}
        </>
      }
      note={
        <>
          First {left.title}, then {right.title}, all days together; below them, by how much the second
          differs. Counts are compared if as many days have data. Shares are of accepted messages.
        </>
      }
    >
      {keyFiguresOf(right.total, left.total, areSidesAlike).map((figure, index) => (
        <Figure
          key={figure.title}
          title={figure.title}
          change={
            changeText(figure) ??
            (areSidesAlike ? "no difference to tell" : `${left.days.length} and ${right.days.length} days`)
          }
        >
          <Value side={left} figure={leftFigures[index] ?? figure} />
          <Value side={right} figure={figure} />
        </Figure>
      ))}
    </Figures>
  );
}

function Value({ side, figure }: { side: Side; figure: KeyFigure }): ReactNode {
  const text = valueText(figure);
  return (
    <dd className={styles.value} style={figureLength(text)}>
      <span className="visually-hidden">{side.title}: </span>
      {text}
    </dd>
  );
}
