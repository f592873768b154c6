import type { ReactNode } from "react";
import { joinClasses } from "./basics.js";
import styles from "./card.module.css";

/** A framed section of the page. */
export function Card({
  label,
  labelledBy,
  className,
  children,
}: {
  /** Name for assistive technology, if the card has no heading. */
  label?: string;
  /** Id of the heading. */
  labelledBy?: string;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={joinClasses(styles.card, className)} aria-label={label} aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}

/** A card's heading, with text below. */
export function CardHead({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}): ReactNode {
  return (
    <header className={styles.head}>
      <h2 id={id}>{title}</h2>
      {children}
    </header>
  );
}

/** Content that loads: several elements, with the card's spacing. */
export const CardBody = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.body}>{children}</div>
);

/** A row of controls at a card's bottom. */
export function CardActions({ end, children }: { end?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <footer className={styles.actions}>
      {children}
      {end !== undefined && <span className={styles.spacer} />}
      {end}
    </footer>
  );
}
