import type { ReactNode } from "react";
import styles from "./select.module.css";

/** Chooses one of a few options that are known beforehand; a `Picker` is for many. */
export function Select<V extends string>({
  label,
  hint,
  options,
  chosen,
  onChoose,
}: {
  /** Name for assistive technology. */
  label: string;
  /** Text shown while no option is chosen. */
  hint?: string;
  options: readonly { readonly value: V; readonly text: string }[];
  /** Undefined if none is chosen. */
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
