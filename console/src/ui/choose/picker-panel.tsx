import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import styles from "./picker-panel.module.css";

/** A choice in a picker. */
export interface Option {
  readonly value: string;
  readonly text: string;
  /** Small text next to the option. */
  readonly note?: string | undefined;
}

/** Maximum number of rendered options. Searching finds the others. */
const MAX_DRAWN = 200;

/** The open part of a picker: a focused search field and the options. */
export function PickerPanel({
  label,
  options,
  chosen,
  several,
  onChoose,
  onClose,
}: {
  label: string;
  options: readonly Option[];
  chosen: readonly string[];
  several: boolean;
  onChoose: (value: string) => void;
  onClose: () => void;
}): ReactNode {
  const id = useId();
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => field.current?.focus(), []);
  const found = options.filter(({ text }) => text.toLowerCase().includes(search.trim().toLowerCase()));
  const drawn = found.slice(0, MAX_DRAWN);
  const move = (index: number): void => {
    const next = Math.max(0, Math.min(drawn.length - 1, index));
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // During composition, the input method handles keys.
    if (event.nativeEvent.isComposing) return;
    const moves: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const target = moves[event.key];
    const option = drawn[active];
    if (target !== undefined) move(target);
    else if (event.key === "Enter" && option !== undefined) onChoose(option.value);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.panel}>
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={`Search: ${label}`}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={drawn[active] === undefined ? undefined : `${id}-${active}`}
        placeholder="Search"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        ref={list}
        id={`${id}-list`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list of options is a list box
        role="listbox"
        aria-label={label}
        aria-multiselectable={several}
        className={styles.options}
        // The scrolling list handles no keys, so Tab skips it.
        tabIndex={-1}
      >
        {drawn.map(({ value, text, note }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
          <li
            key={value}
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
            role="option"
            tabIndex={-1}
            aria-selected={chosen.includes(value)}
            data-active={index === active || undefined}
            // Keeps the focus in the search field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(value)}
            onPointerMove={() => setActive(index)}
          >
            <span className={styles.text}>{text}</span>
            {note !== undefined && <span className={styles.optionNote}>{note}</span>}
          </li>
        ))}
      </ul>
      <p className={styles.note} role="status">
        {found.length === 0 && "No matches."}
        {found.length > drawn.length && `${found.length - drawn.length} more. Search to find them.`}
      </p>
    </div>
  );
}
