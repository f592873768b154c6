/** The key of the category whose segment, marked with `data-segment`, is at a point of the window, if there is one. */
export const segmentAt = ({ clientX, clientY }: { clientX: number; clientY: number }): string | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest("[data-segment]")?.getAttribute("data-segment"))
    .find((key) => typeof key === "string") ?? undefined;

/** The segment that an arrow key moves to; the first key begins at the end of the stack that it leaves. */
export function segmentAfter(
  keys: readonly string[],
  now: string | undefined,
  step: -1 | 1,
): string | undefined {
  const at = now === undefined ? -1 : keys.indexOf(now);
  if (at < 0) return keys.at(step < 0 ? -1 : 0);
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))];
}
