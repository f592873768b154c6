import type { ReactNode, RefObject } from "react";
import styles from "./option-list.module.css";
import type { Option } from "./options.js";

/** Returns an option's id, for `aria-activedescendant`. */
export const optionId = (list: string, index: number): string => `${list}-${index}`;

/** A list box (ARIA Authoring Practices). A combobox has the focus, and handles the keys. */
export const OptionList = ({
  ref,
  id,
  label,
  options,
  chosen,
  several = false,
  active,
  onActive,
  onChoose,
}: {
  ref: RefObject<HTMLUListElement | null>;
  id: string;
  label: string;
  options: readonly Option[];
  chosen: readonly string[];
  /** True if several options can be chosen. */
  several?: boolean;
  /** Index of the option that Enter chooses. */
  active: number;
  onActive: (index: number) => void;
  onChoose: (value: string) => void;
}): ReactNode => (
  <ul
    ref={ref}
    id={id}
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list of options is a list box
    role="listbox"
    aria-label={label}
    aria-multiselectable={several || undefined}
    className={styles.options}
    // The scrolling list handles no keys, so Tab skips it.
    tabIndex={-1}
  >
    {options.map(({ value, text, names, note }, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus and handles the keys
      <li
        key={value}
        id={optionId(id, index)}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
        role="option"
        tabIndex={-1}
        aria-selected={chosen.includes(value)}
        data-active={index === active || undefined}
        // Keeps the focus in the combobox.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(value)}
        onPointerMove={() => onActive(index)}
      >
        <span className={styles.text}>
          {text}
          {names !== undefined && <span className={styles.names}>{names.join(" · ")}</span>}
        </span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </li>
    ))}
  </ul>
);
