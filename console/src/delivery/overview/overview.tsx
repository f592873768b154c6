import type { ReactNode } from "react";

/** How messages of an app are doing, by day. */
export default function Overview(): ReactNode {
  return <p>Overview</p>;
}
