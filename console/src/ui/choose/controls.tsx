import type { ReactNode } from "react";
import styles from "./controls.module.css";

/** A row of controls, which wraps if needed. */
export const ChoiceRow = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.row}>{children}</div>
);

/** Filters table rows as the viewer types. */
export const SearchField = ({
  label,
  value,
  onChange,
}: {
  /** Field name, and its placeholder. */
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactNode => (
  <input
    type="search"
    className={styles.search}
    aria-label={label}
    placeholder={label}
    autoComplete="off"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** A button of {@link Segments}. */
export interface Segment {
  readonly title: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** A row of buttons for exclusive choices. */
export function Segments({
  legend,
  segments,
}: {
  /** Name for assistive technology, unless an outer element names the group. */
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

/** A control below its label. */
export const Field = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.field}>{children}</div>
);
