import type { ComponentProps, ReactNode } from "react";
import styles from "./basics.module.css";

/** Joins class names, and skips absent ones. */
export const joinClasses = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(" ") || undefined;

/** The product name. */
export const Brand = (): ReactNode => <span className={styles.brand}>Waybill</span>;

/** A button with several visual weights. */
export function Button({
  look = "normal",
  type = "button",
  className,
  ...rest
}: ComponentProps<"button"> & { look?: "normal" | "primary" | "plain" | "small" | "quiet" }): ReactNode {
  return (
    <button type={type} className={joinClasses(look !== "normal" && styles[look], className)} {...rest} />
  );
}

/** An error message next to a control. Uses no space without an error. */
export const Problem = ({ id, children }: { id?: string; children: ReactNode }): ReactNode => (
  <p id={id} role="alert" className={styles.problem}>
    {children}
  </p>
);

/** A triangle in front of bad news, as a mark in charts has. */
export const BadMark = ({ className }: { className: string | undefined }): ReactNode => (
  <svg className={className} width="12" height="11" aria-hidden="true">
    <path d="M0,0h12l-6,11z" />
  </svg>
);
