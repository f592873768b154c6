import type { ReactNode } from "react";
import styles from "./help.module.css";

/** Explains how figures are computed, once it is opened. */
export const Help = ({ children }: { children: ReactNode }): ReactNode => (
  <details className={styles.help}>
    <summary>How is this decided?</summary>
    {children}
  </details>
);
