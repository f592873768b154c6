import type { ReactNode } from "react";
import styles from "./search-field.module.css";

/** Narrows the rows of a table as the viewer types. */
export const SearchField = ({
  label,
  value,
  onChange,
}: {
  /** Name of the field, also shown while it is empty. */
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactNode => (
  <input
    type="search"
    className={styles.field}
    aria-label={label}
    placeholder={label}
    autoComplete="off"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);
