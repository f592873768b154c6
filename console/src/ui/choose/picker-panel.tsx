import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatCount } from "#console/model/numbers/format-number.js";
import { foundOptions, type Option } from "./options.js";
import styles from "./picker-panel.module.css";

/** Maximum number of rendered options. Searching finds the others. */
const MAX_DRAWN = 200;
/** Number of options that Page Up and Page Down skip. */
const PAGE = 8;

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
  const panel = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    if (panel.current !== null) keepOnScreen(panel.current);
  }, []);
  // Focuses without scrolling, because the panel may have been off screen before it was moved.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const found = useMemo(() => foundOptions(options, search), [options, search]);
  const drawn = found.slice(0, MAX_DRAWN);
  const move = (index: number): void => {
    const next = Math.max(0, Math.min(drawn.length - 1, index));
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // During composition, the input method handles keys.
    if (event.nativeEvent.isComposing) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
    };
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
    <div ref={panel} className={styles.panel}>
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
          list.current?.scrollTo(0, 0);
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
        {drawn.map(({ value, text, names, note }, index) => (
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
            <span className={styles.text}>
              {text}
              {names !== undefined && <span className={styles.names}>{names.join(" · ")}</span>}
            </span>
            {note !== undefined && <span className={styles.optionNote}>{note}</span>}
          </li>
        ))}
      </ul>
      <p className={styles.note} role="status">
        {found.length === 0 && "No matches."}
        {found.length > drawn.length &&
          `${formatCount(found.length - drawn.length)} more. Search to find them.`}
      </p>
    </div>
  );
}

/** Moves a panel to the left if it would extend past the right edge of a narrow screen. */
function keepOnScreen(panel: HTMLElement): void {
  const margin = 16;
  // The body is as wide as the page without the scroll bar and its space.
  const beyond = panel.getBoundingClientRect().right - (document.body.clientWidth - margin);
  if (beyond > 0) panel.style.left = `${-beyond}px`;
}
