import type { CSSProperties, ReactNode } from "react";
import type { Reading } from "#console/model/figures/series.js";
import { joinClasses } from "../../elements/basics.js";
import { Swatch } from "../shapes/swatch.js";
import styles from "./day-tooltip.module.css";

/**
 * Values for one or several days or weeks, beside the cursor. Hidden from assistive technology, which reads the
 * cursor.
 */
export function DayTooltip<C>({
  title: heading,
  readings,
  pointed,
  notes,
  hint,
  x,
  reach,
  width,
}: {
  title: string;
  /** Undefined if there are no entries. */
  readings: readonly Reading<C>[] | undefined;
  /** The highlighted reading. */
  pointed?: Reading<C> | undefined;
  /** Notes about the values. */
  notes: readonly string[];
  /** Hint about clicks, in a sentence. */
  hint: string | undefined;
  /** Bar center, in pixels from the plot's left edge. */
  x: number;
  /** Half of the bar width in pixels. */
  reach: number;
  /** Plot width in pixels. */
  width: number;
}): ReactNode {
  return (
    <div
      className={joinClasses(styles.tooltip, width < NARROW && styles.below)}
      data-tooltip
      aria-hidden="true"
      style={width < NARROW ? undefined : besideDay(x, reach, width)}
    >
      <p className={styles.day}>{heading}</p>
      {readings === undefined ? (
        <p>No entries</p>
      ) : (
        <table>
          <tbody>
            {readings.map((reading) => {
              const { series, share, count } = reading;
              return (
                <tr key={series.title} className={joinClasses(reading === pointed && styles.pointed)}>
                  <td>
                    <Swatch look={series.look} />
                  </td>
                  <td className={styles.title}>{series.title}</td>
                  {share !== undefined && <td className={styles.number}>{share}</td>}
                  <td className={joinClasses(styles.number, share !== undefined && "soft")}>{count}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      {hint !== undefined && <p className="soft">{hint}</p>}
    </div>
  );
}

/** Plots narrower than this, in pixels, show the tooltip below. */
const NARROW = 560;
const DISTANCE = 8;

/** Places the tooltip on the side with more space. */
const besideDay = (x: number, reach: number, width: number): CSSProperties =>
  x > width / 2 ? { right: width - x + reach + DISTANCE } : { left: x + reach + DISTANCE };
