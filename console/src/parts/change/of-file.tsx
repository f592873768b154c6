import type { ReactNode } from "react";

/** Marks an entry that the config file defines, and explains why it is read-only. */
export const OfFile = ({ what }: { what: string }): ReactNode => (
  <span>
    <strong>Read-only</strong>: the config file defines this {what}. Change it there, and reload the file.
  </span>
);
