import { type ReactNode, useState } from "react";
import type { Day } from "../../../src/store/day.js";
import { type DayRange, dayOfIso, isoDate } from "../days/day-range.js";
import { changeView } from "../view/use-view.js";
import { type ChosenRange, RECENT_DAYS } from "../view/view.js";

/** Chooses the days: the most recent ones, or from one date to another. */
export function RangePicker({
  chosen,
  range,
  listed,
}: {
  chosen: ChosenRange;
  /** What the choice means now. */
  range: DayRange;
  listed: Day;
}): ReactNode {
  return (
    <fieldset className="range">
      <legend className="label">Days, in Los Angeles time</legend>
      <div className="segments">
        {RECENT_DAYS.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={chosen.kind === "recent" && chosen.days === days}
            onClick={() => changeView({ range: { kind: "recent", days } })}
          >
            {days} days
          </button>
        ))}
        <button
          type="button"
          aria-pressed={chosen.kind === "own"}
          onClick={() => changeView({ range: { kind: "own", range } })}
        >
          Own
        </button>
      </div>
      <DateFields
        range={range}
        last={listed}
        onChange={(own) => changeView({ range: { kind: "own", range: own } })}
      />
    </fieldset>
  );
}

/** Two dates, from and to. A range that is none is not taken over, and said to be none. */
export function DateFields({
  range,
  last,
  onChange,
  name = "",
}: {
  range: DayRange;
  /** The last day that can be chosen. */
  last: Day;
  onChange: (range: DayRange) => void;
  /** Tells these fields from others, for those who do not see where they stand. */
  name?: string;
}): ReactNode {
  const [typed, setTyped] = useState<{
    readonly of: DayRange;
    readonly first: string;
    readonly last: string;
  }>();
  // What was typed is forgotten when the range is changed by other means.
  const shown =
    typed !== undefined && typed.of.first === range.first && typed.of.last === range.last
      ? typed
      : { of: range, first: isoDate(range.first), last: isoDate(range.last) };
  const first = dayOfIso(shown.first);
  const end = dayOfIso(shown.last);
  const backwards = first !== undefined && end !== undefined && first > end;
  const change = (texts: { first: string; last: string }): void => {
    setTyped({ of: range, ...texts });
    const from = dayOfIso(texts.first);
    const to = dayOfIso(texts.last);
    if (from !== undefined && to !== undefined && from <= to) onChange({ first: from, last: to });
  };
  const field = (label: string, key: "first" | "last"): ReactNode => (
    <input
      type="date"
      aria-label={`${label} ${name}`.trim()}
      aria-invalid={backwards}
      value={shown[key]}
      max={isoDate(last)}
      onChange={(event) => change({ ...shown, [key]: event.target.value })}
    />
  );
  return (
    <div className="dates">
      {field("From", "first")}
      <span aria-hidden="true">–</span>
      {field("To", "last")}
      <span role="alert" className="problem">
        {backwards && "The first day is after the last."}
      </span>
    </div>
  );
}
