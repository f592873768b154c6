import { useEffect, useState } from "react";

/**
 * Returns true after a wait, when figures appear without data that is still loading.
 *
 * @param what another object restarts the wait
 * @param patienceMs maximum wait, in milliseconds
 */
export function useIsLate(what: object, patienceMs: number): boolean {
  const [late, setLate] = useState<object>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(what), patienceMs);
    return () => clearTimeout(timer);
  }, [what, patienceMs]);
  return late === what;
}
