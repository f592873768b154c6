import type { ReactNode } from "react";
import { longDay } from "#console/model/days/format-day.js";
import type { Day } from "#src/model/day.js";
import { Opener } from "../picker.js";
import { PopoverDialog } from "../popover.js";
import { Calendar } from "./calendar.js";

/** A button that opens a calendar, to choose a day. */
export const DayField = ({
  label,
  day,
  last,
  onChange,
}: {
  label: string;
  day: Day;
  /** The last valid day. */
  last: Day;
  onChange: (day: Day) => void;
}): ReactNode => (
  <Opener
    label={label}
    shown={longDay(day)}
    opens="dialog"
    panel={(opener, close) => (
      <PopoverDialog opener={opener} label={label} onClose={close}>
        <Calendar
          range={{ first: day, last: day }}
          last={last}
          hasFocus
          onPick={(picked) => {
            onChange(picked);
            close();
          }}
        />
      </PopoverDialog>
    )}
  />
);
