import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { blockingError, type ReadState } from "#console/api/read-state.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { OptionList, optionId } from "./option-list.js";
import { foundOptions, type Option } from "./options.js";
import styles from "./picker-panel.module.css";
import { Popover } from "./popover.js";

/** Maximum number of rendered options. Searching finds the others. */
const MAX_DRAWN = 200;
/** Number of options that Page Up and Page Down skip. */
const PAGE = 8;

/** The open part of a picker: a focused search field and the options. */
export function PickerPanel({
  opener,
  label,
  query,
  options,
  chosen,
  several,
  onChoose,
  onClose,
}: {
  opener: RefObject<HTMLElement | null>;
  label: string;
  query: ReadState;
  options: readonly Option[];
  chosen: readonly string[];
  several: boolean;
  onChoose: (value: string) => void;
  onClose: () => void;
}): ReactNode {
  const id = `${useId()}-list`;
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  // Focuses without scrolling, because the panel may have been off screen before it was placed.
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
    <Popover opener={opener} className={styles.panel}>
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={`Search: ${label}`}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={drawn[active] === undefined ? undefined : optionId(id, active)}
        placeholder="Search"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(0);
          list.current?.scrollTo(0, 0);
        }}
        onKeyDown={onKeyDown}
      />
      <OptionList
        ref={list}
        id={id}
        label={label}
        options={drawn}
        chosen={chosen}
        several={several}
        active={active}
        onActive={setActive}
        onChoose={onChoose}
      />
      <p className={styles.note} role="status">
        {found.length === 0 && emptyText(query)}
        {found.length > drawn.length &&
          `${formatCount(found.length - drawn.length)} more. Search to find them.`}
      </p>
    </Popover>
  );
}

/** Explains that there are no options. */
function emptyText(query: ReadState): string {
  if (blockingError(query) !== undefined) return "Could not load the list.";
  return query.data === undefined ? "Loading …" : "No matches.";
}
