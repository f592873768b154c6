import type { ReactNode } from "react";

/** A pattern of stripes for unknown values, used as fill `url(#id)`. */
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
