import type { CSSProperties, ReactNode } from "react";
import type { Reading } from "#console/model/figures/series.js";
import { joinClasses } from "../../elements/basics.js";
import { Swatch } from "../shapes/swatch.js";
import styles from "./day-tooltip.module.css";

/** The values of a day or week, or of several, beside it. Assistive technology reads them from the cursor instead. */
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
  /** Undefined without entries. */
  readings: readonly Reading<C>[] | undefined;
  /** The one to point out. */
  pointed?: Reading<C> | undefined;
  /** Limits and explanations of the values. */
  notes: readonly string[];
  /** The effect of a click, in a sentence. */
  hint: string | undefined;
  /** Center of the bar, in pixels of the plot. */
  x: number;
  /** Pixels from the center of the bar to its edge. */
  reach: number;
  /** Width of the plot in pixels. */
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

/** Places the tooltip on the side of the day with more room. */
const besideDay = (x: number, reach: number, width: number): CSSProperties =>
  x > width / 2 ? { right: width - x + reach + DISTANCE } : { left: x + reach + DISTANCE };
