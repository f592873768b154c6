import { type ReactNode, useRef, useState } from "react";
import { type DayRange, dayOfIso, isoDate } from "#console/model/days/day-range.js";
import { longDay } from "#console/model/days/format-day.js";
import { type Day, dayOfCivil } from "#src/model/day.js";
import { Problem } from "../elements/basics.js";
import styles from "./date-fields.module.css";

/**
 * Two date fields, from and to. Shows an error for dates in reverse order or after the last day, and does not apply
 * them.
 */
export function DateFields({
  range,
  last,
  onChange,
  name = "",
}: {
  range: DayRange;
  /** The last valid day. */
  last: Day;
  /** Receives "replace" while a date is being typed, to keep intermediate dates out of the browser history. */
  onChange: (range: DayRange, how: "push" | "replace") => void;
  /** Suffix for the field names, for assistive technology. */
  name?: string;
}): ReactNode {
  const [typed, setTyped] = useState<{
    readonly of: DayRange;
    readonly first: string;
    readonly last: string;
  }>();
  const lastChange = useRef<DayRange>(undefined);
  // Discards typed text if the range changes elsewhere.
  const shown =
    typed !== undefined && typed.of.first === range.first && typed.of.last === range.last
      ? typed
      : { of: range, first: isoDate(range.first), last: isoDate(range.last) };
  const first = dayOfIso(shown.first);
  const end = dayOfIso(shown.last);
  const backwards = first !== undefined && end !== undefined && first > end;
  const isLate = (first ?? last) > last || (end ?? last) > last;
  const change = (texts: { first: string; last: string }): void => {
    setTyped({ of: range, ...texts });
    const from = dayOfIso(texts.first);
    const to = dayOfIso(texts.last);
    if (
      from === undefined ||
      to === undefined ||
      from > to ||
      to > last ||
      from < FIRST_TYPED ||
      isSame({ first: from, last: to }, range)
    )
      return;
    onChange({ first: from, last: to }, isSame(lastChange.current, range) ? "replace" : "push");
    lastChange.current = { first: from, last: to };
  };
  const field = (label: string, key: "first" | "last"): ReactNode => (
    <input
      type="date"
      aria-label={`${label} ${name}`.trim()}
      aria-invalid={backwards || isLate}
      value={shown[key]}
      max={isoDate(last)}
      onChange={(event) => change({ ...shown, [key]: event.target.value })}
      onBlur={() => {
        lastChange.current = undefined;
      }}
    />
  );
  return (
    <div className={styles.dates}>
      {field("From", "first")}
      <span aria-hidden="true">–</span>
      {field("To", "last")}
      <Problem>
        {isLate
          ? `The last listed day is ${longDay(last)}.`
          : backwards && "The start date is after the end date."}
      </Problem>
    </div>
  );
}

/** The first date to apply. While it is being typed, a year starts with zeros: 0002, 0020, 0202. */
const FIRST_TYPED = dayOfCivil(1000, 1, 1);

const isSame = (one: DayRange | undefined, other: DayRange): boolean =>
  one?.first === other.first && one.last === other.last;
