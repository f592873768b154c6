import type { ReactNode } from "react";

/** All entries, as the service lists them. */
export default function Entries(): ReactNode {
  return <p>Entries</p>;
}
