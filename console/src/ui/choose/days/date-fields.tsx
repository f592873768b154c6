import { type ReactNode, useId, useState } from "react";
import { type DayRange, isSameRange } from "#console/model/days/day-range.js";
import { longDay } from "#console/model/days/format-day.js";
import { type Day, formatDay, parseDay } from "#src/model/day.js";
import { Problem } from "../../elements/basics.js";
import styles from "./date-fields.module.css";

/** Characters of a date such as `2026-11-24`. */
const DATE_LENGTH = 10;

/**
 * Two fields for dates such as `2026-11-24`, from and to. Shows an error for dates in reverse order or after the last day,
 * and does not apply them.
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
  onChange: (range: DayRange) => void;
  /** Suffix for the field names, for assistive technology. */
  name?: string;
}): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<Typed>();
  // Discards typed text if the range changes elsewhere.
  const shown = typed !== undefined && isSameRange(typed.of, range) ? typed : typedOf(range);
  const problem = problemOf(shown, last);
  const change = (key: "first" | "last", text: string): void => {
    const next = { ...shown, [key]: text.trim() };
    setTyped(next);
    const [first, end] = [parseDay(next.first), parseDay(next.last)];
    if (first === undefined || end === undefined || problemOf(next, last) !== undefined) return;
    if (!isSameRange({ first, last: end }, range)) onChange({ first, last: end });
  };
  const field = (title: string, key: "first" | "last"): ReactNode => (
    <label>
      {title}
      <input
        type="text"
        aria-label={`${title} ${name}`.trim()}
        aria-invalid={problem !== undefined}
        aria-describedby={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={DATE_LENGTH}
        value={shown[key]}
        onChange={(event) => change(key, event.target.value)}
      />
    </label>
  );
  return (
    <div className={styles.dates}>
      {field("From", "first")}
      {field("To", "last")}
      <div id={id} className={styles.note}>
        {problem === undefined && `Type a date such as ${formatDay(last)}, or choose days below.`}
        <Problem>{problem}</Problem>
      </div>
    </div>
  );
}

/** Texts of both fields, and the range that they change. */
interface Typed {
  readonly of: DayRange;
  readonly first: string;
  readonly last: string;
}

const typedOf = (range: DayRange): Typed => ({
  of: range,
  first: formatDay(range.first),
  last: formatDay(range.last),
});

/** Describes why the dates do not apply. Undefined for valid dates, and for one that is incomplete. */
function problemOf({ first, last }: Typed, lastDay: Day): string | undefined {
  const [from, to] = [parseDay(first), parseDay(last)];
  if ([from, to].some((day) => day !== undefined && day > lastDay))
    return `The last listed day is ${longDay(lastDay)}.`;
  const wrong = [first, last].find((text) => text.length >= DATE_LENGTH && parseDay(text) === undefined);
  if (wrong !== undefined) return `${wrong} is not a date.`;
  if (from !== undefined && to !== undefined && from > to) return "The start date is after the end date.";
  return undefined;
}
