import type { ReactNode } from "react";
import styles from "./problem.module.css";

/** What is wrong with an entry or an attempt. Takes no room while there is nothing to say. */
export const Problem = ({ id, children }: { id?: string; children: ReactNode }): ReactNode => (
  <p id={id} role="alert" className={styles.problem}>
    {children}
  </p>
);
