import type { ReactNode } from "react";
import styles from "./field.module.css";

/** A control below its label. */
export const Field = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.field}>{children}</div>
);
