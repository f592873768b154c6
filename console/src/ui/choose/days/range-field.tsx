import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type DayRange, rangeBetween } from "#console/model/days/day-range.js";
import type { Day } from "#src/model/day.js";
import type { Segment } from "../controls.js";
import { Opener } from "../picker.js";
import { PopoverDialog } from "../popover.js";
import { Calendar } from "./calendar.js";
import { DateFields } from "./date-fields.js";
import styles from "./range-field.module.css";

/** A range to choose, with its days and how to choose it. */
interface RangeChoice {
  readonly range: DayRange;
  /** The last valid day. */
  readonly last: Day;
  readonly named: readonly Segment[];
  readonly onChange: (range: DayRange) => void;
  /** Suffix for date field names, for assistive technology. */
  readonly name?: string;
  /** More choices, below the days. */
  readonly children?: ReactNode;
}

/** A button that opens a dialog with named ranges, two dates and a calendar. On a phone, it is a sheet. */
export const RangeField = ({
  label,
  shown,
  className,
  ...choice
}: RangeChoice & {
  label: string;
  /** Text on the button. */
  shown: ReactNode;
  className?: string | undefined;
}): ReactNode => (
  <Opener
    label={label}
    shown={shown}
    opens="dialog"
    className={className}
    panel={(opener, close) => <RangePanel label={label} opener={opener} close={close} {...choice} />}
  />
);

function RangePanel({
  label,
  opener,
  close,
  range,
  last,
  named,
  onChange,
  name,
  children,
}: RangeChoice & {
  label: string;
  opener: RefObject<HTMLElement | null>;
  close: () => void;
}): ReactNode {
  /** The first picked day, until a second one is picked. */
  const [start, setStart] = useState<Day>();
  const ranges = useRef<HTMLDivElement>(null);
  useFocusInside(ranges);
  const pick = (day: Day): void => {
    if (start === undefined) setStart(day);
    else {
      onChange(rangeBetween(start, day));
      close();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    close();
  };
  return (
    <PopoverDialog
      opener={opener}
      label={label}
      onClose={close}
      className={styles.panel}
      onKeyDown={onKeyDown}
    >
      <div ref={ranges} className={styles.named}>
        {named.map(({ title, isChosen, choose }) => (
          <button
            key={title}
            type="button"
            aria-pressed={isChosen}
            onClick={() => {
              choose();
              close();
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div className={styles.own}>
        <DateFields range={range} last={last} onChange={onChange} {...(name !== undefined && { name })} />
        <Calendar range={range} start={start} last={last} onPick={pick} />
      </div>
      {children !== undefined && <div className={styles.more}>{children}</div>}
    </PopoverDialog>
  );
}

/** Focuses the chosen button of an opened panel, or else its first one. */
function useFocusInside(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const chosen = panel.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    (chosen ?? panel.current?.querySelector<HTMLElement>("button"))?.focus({ preventScroll: true });
  }, [panel]);
}
