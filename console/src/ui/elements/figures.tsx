import { type CSSProperties, type ReactNode, useId } from "react";
import styles from "./figures.module.css";

/** A row of figures, with a note below it. */
export function Figures({
  label,
  heading,
  note,
  children,
}: {
  /** Name for assistive technology, if there is no heading. */
  label?: string;
  heading?: ReactNode;
  note: ReactNode;
  /** A {@link Figure} for each. */
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section
      className={styles.section}
      aria-label={label}
      aria-labelledby={heading === undefined ? undefined : id}
    >
      {heading !== undefined && <h2 id={id}>{heading}</h2>}
      <dl>{children}</dl>
      <p className="soft small">{note}</p>
    </section>
  );
}

/** A figure with its title and its change. */
export function Figure({
  title,
  change,
  direction,
  verdict,
  trend,
  children,
}: {
  title: string;
  change: string;
  /** Direction of the change, drawn beside it. */
  direction?: "up" | "down" | undefined;
  /** Says whether the change is good, if it is good or bad. */
  verdict?: "better" | "worse" | undefined;
  /** A small drawing of the days. */
  trend?: ReactNode;
  /** The values, each in a `dd`. */
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.figure}>
      <dt>{title}</dt>
      {children}
      <dd className={styles.change} data-direction={direction} data-verdict={verdict}>
        {/* Another element for another text, which has its own place beside the arrow. */}
        <span key={change} data-change>
          {change}
        </span>
        {verdict !== undefined && `, ${verdict}`}
      </dd>
      {trend !== undefined && <dd className={styles.trend}>{trend}</dd>}
    </div>
  );
}

/** Passes the length of a figure to the style sheet, which sets long figures smaller to fit their tile. */
export const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });
