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

/** Chooses one of a few options. Use `Picker` for many options. */
export function Select<V extends string>({
  label,
  hint,
  options,
  chosen,
  onChoose,
}: {
  /** Name for assistive technology. */
  label: string;
  /** Text if no option is chosen. */
  hint?: string;
  options: readonly { readonly value: V; readonly text: string }[];
  /** Undefined if no option is chosen. */
  chosen: V | undefined;
  onChoose: (value: V) => void;
}): ReactNode {
  return (
    <select
      className={styles.select}
      aria-label={label}
      data-chosen={hint !== undefined && chosen !== undefined ? true : undefined}
      value={chosen ?? ""}
      onChange={(event) => {
        const option = options.find(({ value }) => value === event.target.value);
        if (option !== undefined) onChoose(option.value);
      }}
    >
      {hint !== undefined && (
        <option value="" hidden disabled>
          {hint}
        </option>
      )}
      {options.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A control below its label. */
export const Field = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.field}>{children}</div>
);
