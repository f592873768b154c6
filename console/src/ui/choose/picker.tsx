import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useDismiss } from "./use-dismiss.js";

export interface Option {
  readonly value: string;
  readonly text: string;
  /** Small text beside the option. */
  readonly note?: string | undefined;
}

/** Most options drawn; the others can be found by searching. */
const MAX_DRAWN = 200;

/**
 * Chooses one or several of many options, with a search: a combobox with a list box (ARIA Authoring
 * Practices).
 */
export function Picker({
  label,
  shown,
  options,
  chosen,
  several = false,
  className = "",
  onChoose,
}: {
  label: string;
  /** Text on the closed picker. */
  shown: string;
  options: readonly Option[];
  /** Values of the chosen options. */
  chosen: readonly string[];
  /** True if the picker stays open for further choices. */
  several?: boolean;
  className?: string;
  onChoose: (value: string) => void;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  useDismiss(box, open, () => setOpen(false));
  return (
    <div className={`picker ${className}`} ref={box}>
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        ref={opener}
        className="picker-opener"
        id={`${id}-opener`}
        aria-labelledby={`${id}-label ${id}-opener`}
        aria-haspopup="listbox"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className="picker-shown">{shown}</span>
      </button>
      {open && (
        <PickerPanel
          label={label}
          options={options}
          chosen={chosen}
          several={several}
          onClose={close}
          onChoose={(value) => {
            onChoose(value);
            if (!several) close();
          }}
        />
      )}
    </div>
  );
}

function PickerPanel({
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
    // During composition, the keys belong to the input method.
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
    <div className="panel">
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
        className="options"
        // Keeps the Tab key from stopping at the scrolling list, where no key chooses or closes.
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
            <span className="option-text">{text}</span>
            {note !== undefined && <span className="option-note">{note}</span>}
          </li>
        ))}
      </ul>
      <p className="panel-note" role="status">
        {found.length === 0 && "Nothing is called so."}
        {found.length > drawn.length && `${found.length - drawn.length} more: search for them.`}
      </p>
    </div>
  );
}
