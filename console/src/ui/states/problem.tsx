import type { ReactNode } from "react";
import styles from "./problem.module.css";

/** A problem of an entry or an attempt. Takes no room while there is no problem. */
export const Problem = ({ id, children }: { id?: string; children: ReactNode }): ReactNode => (
  <p id={id} role="alert" className={styles.problem}>
    {children}
  </p>
);
