import { useEffect, useState } from "react";

/** Maximum wait for data that figures can do without, in milliseconds. */
const PATIENCE_MS = 400;

/**
 * Returns true after {@link PATIENCE_MS}, when figures appear without data that is still loading.
 *
 * @param what another object restarts the wait
 */
export function useIsLate(what: object): boolean {
  const [late, setLate] = useState<object>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(what), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return late === what;
}
