import { useEffect, useMemo, useState } from "react";

/** Rows of many cells that can be drawn at once without a noticeable delay, and fill most screens. */
const PART_LENGTH = 25;

/**
 * Splits items into parts that render one per frame, which keeps the page responsive. The first part is
 * available immediately.
 */
export function useParts<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts = useMemo(
    () =>
      Array.from({ length: Math.ceil(items.length / PART_LENGTH) }, (_, index) =>
        items.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
      ),
    [items],
  );
  const [count, setCount] = useState(1);
  const isComplete = count >= parts.length;
  useEffect(() => {
    if (isComplete) return;
    const frame = requestAnimationFrame(() => setCount(count + 1));
    return () => cancelAnimationFrame(frame);
  }, [isComplete, count]);
  return isComplete ? parts : parts.slice(0, count);
}
