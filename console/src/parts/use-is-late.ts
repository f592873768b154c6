import { useEffect, useState } from "react";

/**
 * Returns true once a maximum wait is over. Figures then appear without the data that is still loading.
 *
 * @param what identifies the wait: it restarts for a different object
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
