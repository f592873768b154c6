import type { ComponentProps, ReactNode } from "react";
import styles from "./button.module.css";
import { joinClasses } from "./join-classes.js";

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
