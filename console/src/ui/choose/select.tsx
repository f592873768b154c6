import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { OptionList, optionId } from "./option-list.js";
import { typedOption } from "./options.js";
import { useDismiss } from "./picker.js";
import styles from "./picker.module.css";
import { Popover } from "./popover.js";

/** Letters belong to one word if they follow each other within this time, in milliseconds. */
const WORD_MS = 600;

/** Chooses one of a few options: a select-only combobox (ARIA Authoring Practices). Use `Picker` for many options. */
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
  const id = `${useId()}-list`;
  /** Index of the option that Enter chooses. Undefined while the list is closed. */
  const [active, setActive] = useState<number>();
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const word = useRef({ typed: "", time: 0 });
  const close = (): void => setActive(undefined);
  useDismiss(box, active !== undefined, close);
  useLayoutEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const current = options.findIndex(({ value }) => value === chosen);
  const start = Math.max(0, current);
  const longest = options.reduce((most, { text }) => (text.length > most.length ? text : most), hint ?? "");
  const choose = (index: number): void => {
    const option = options[index];
    close();
    if (option !== undefined && index !== current) onChoose(option.value);
  };
  /** Finds the option that a key moves to. */
  const target = ({ key, timeStamp }: KeyboardEvent): number | undefined => {
    const from = active ?? start;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active === undefined ? start : from + 1,
      ArrowUp: active === undefined ? start : from - 1,
      Home: 0,
      End: options.length - 1,
    };
    if (key in moves) return Math.max(0, Math.min(options.length - 1, moves[key] as number));
    if (key.length !== 1 || key === " ") return undefined;
    const isNext = timeStamp - word.current.time < WORD_MS;
    word.current = { typed: (isNext ? word.current.typed : "") + key, time: timeStamp };
    return typedOption(options, word.current.typed, from);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey) return;
    if (active !== undefined && key === "Tab") {
      choose(active);
      return;
    }
    if (active !== undefined && key === "Escape") close();
    else if (active !== undefined && (key === "Enter" || key === " " || (key === "ArrowUp" && event.altKey)))
      choose(active);
    else if (key === "Enter" || key === " ") setActive(start);
    else {
      const index = target(event);
      if (index === undefined) return;
      setActive(index);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className={styles.select}>
      <button
        type="button"
        ref={opener}
        role="combobox"
        className={styles.opener}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={active !== undefined}
        aria-controls={active === undefined ? undefined : id}
        aria-activedescendant={active === undefined ? undefined : optionId(id, active)}
        data-chosen={hint !== undefined && current >= 0 ? true : undefined}
        onClick={() => (active === undefined ? setActive(start) : close())}
        onKeyDown={onKeyDown}
      >
        <span className={styles.shown} data-longest={longest}>
          {options[current]?.text ?? hint}
        </span>
      </button>
      {active !== undefined && (
        <Popover opener={opener}>
          <OptionList
            ref={list}
            id={id}
            label={label}
            options={options}
            chosen={chosen === undefined ? [] : [chosen]}
            active={active}
            onActive={setActive}
            onChoose={(value) => choose(options.findIndex((option) => option.value === value))}
          />
        </Popover>
      )}
    </div>
  );
}
