import type { ReactNode } from "react";

/** The labels of an app, side by side. */
export default function Labels(): ReactNode {
  return <p>Labels</p>;
}
