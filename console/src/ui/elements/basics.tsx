import type { ComponentProps, ReactNode } from "react";
import styles from "./basics.module.css";

/** Joins class names, without those that are absent. */
export const joinClasses = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(" ") || undefined;

/** The name of the product. */
export const Brand = (): ReactNode => <span className={styles.brand}>Waybill</span>;

/** A button that can stand out more, or less, than others. */
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

/** A problem of an entry or an attempt. Takes no room while there is no problem. */
export const Problem = ({ id, children }: { id?: string; children: ReactNode }): ReactNode => (
  <p id={id} role="alert" className={styles.problem}>
    {children}
  </p>
);
