import type { CSSProperties } from "react";

/** Passes the length of a figure to the style sheet, which sets long figures smaller to fit their tile. */
export const figureLength = (text: string): CSSProperties => ({ ["--length" as string]: text.length });
