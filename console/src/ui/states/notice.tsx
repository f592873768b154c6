import type { ReactNode } from "react";

/** States a problem, and what to do about it. */
export function Notice({
  title,
  children,
  action,
  tone = "plain",
  height,
}: {
  title: string;
  children: ReactNode;
  /** A button or link that does it. */
  action?: ReactNode;
  tone?: "plain" | "failure";
  /** Least height in pixels: that of the replaced content. */
  height?: number;
}): ReactNode {
  return (
    <section
      className={`notice notice-${tone}`}
      style={{ minHeight: height }}
      role={tone === "failure" ? "alert" : undefined}
    >
      <h3>{title}</h3>
      <div className="notice-text">{children}</div>
      {action !== undefined && <div className="notice-action">{action}</div>}
    </section>
  );
}
