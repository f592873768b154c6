import type { ReactNode } from "react";
import styles from "./choice-row.module.css";

/** Choosers next to each other, as far as there is room. */
export const ChoiceRow = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.row}>{children}</div>
);
