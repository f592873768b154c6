import { useEffect, useMemo, useState } from "react";

/** So many items are drawn without the page being felt to halt. */
const PART_LENGTH = 100;

/** Items in parts, of which the first is there at once and the others follow one by one, so that the page answers meanwhile. */
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
