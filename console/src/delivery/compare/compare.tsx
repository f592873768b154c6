import type { ReactNode } from "react";

/** Two labels, or two ranges, side by side. */
export default function Compare(): ReactNode {
  return <p>Compare</p>;
}
