import { useEffect, useState } from "react";

/** Milliseconds for which figures wait for others that decide their order. */
const PATIENCE_MS = 400;

/**
 * Returns true once a wait has been long enough.
 * @param what what is waited for: another object begins another wait
 */
export function useIsLate(what: object): boolean {
  const [late, setLate] = useState<object>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(what), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return late === what;
}
