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
  children,
}: {
  title: string;
  change: string;
  /** The values, each in a `dd`. */
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.figure}>
      <dt>{title}</dt>
      {children}
      <dd className={styles.change} data-change>
        {change}
      </dd>
    </div>
  );
}

/** Passes the length of a figure to the style sheet, which sets long figures smaller to fit their tile. */
export const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });
