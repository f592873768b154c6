import type { ReactNode } from "react";
import { joinClasses } from "../elements/basics.js";
import styles from "./notice.module.css";

/** A message in place of content, and what to do about it. */
export function Notice({
  title,
  children,
  action,
  tone = "plain",
  height,
}: {
  title: string;
  children: ReactNode;
  /** A button or link. */
  action?: ReactNode;
  tone?: "plain" | "failure";
  /** Minimum height in pixels, such as the replaced content's height. */
  height?: number;
}): ReactNode {
  return (
    <section
      className={joinClasses(styles.notice, tone === "failure" && styles.failure)}
      style={{ minHeight: height }}
      role={tone === "failure" ? "alert" : undefined}
      data-tone={tone}
    >
      <h3>{title}</h3>
      <div className={styles.text}>{children}</div>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </section>
  );
}
