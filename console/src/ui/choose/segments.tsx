import type { ReactNode } from "react";
import styles from "./segments.module.css";

/** A button of {@link Segments}. */
export interface Segment {
  readonly title: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** A row of buttons, one of which is pressed. */
export function Segments({
  legend,
  segments,
}: {
  /** Name for assistive technology, if nothing around the buttons names them. */
  legend?: string;
  segments: readonly Segment[];
}): ReactNode {
  const buttons = segments.map(({ title, isChosen, choose }) => (
    <button key={title} type="button" aria-pressed={isChosen} onClick={choose}>
      {title}
    </button>
  ));
  if (legend === undefined) return <div className={styles.segments}>{buttons}</div>;
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{legend}</legend>
      {buttons}
    </fieldset>
  );
}
