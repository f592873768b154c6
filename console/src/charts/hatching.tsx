import type { ReactNode } from "react";

/** Stripes to fill with by `url(#id)`, for what is not known. */
export function Hatching({ id, color }: { id: string; color: `--${string}` }): ReactNode {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" style={{ fill: "var(--surface)" }} />
        <rect width="2" height="5" style={{ fill: `var(${color})` }} />
      </pattern>
    </defs>
  );
}
