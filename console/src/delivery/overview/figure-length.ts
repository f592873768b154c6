import type { CSSProperties } from "react";

/** Tells the style sheet how long a figure is, so that a long one is set smaller and none is wider than its tile. */
export const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });
