import type { ReactNode } from "react";
import styles from "./bare-page.module.css";

/** A narrow page without the frame of the console. */
export const BarePage = ({ children }: { children: ReactNode }): ReactNode => (
  <main className={styles.page}>{children}</main>
);
