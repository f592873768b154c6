import type { ReactNode } from "react";
import { useReadAgain } from "#console/api/use-read-again.js";
import { Button } from "#console/ui/elements/button.js";

/** Stands in for incidents that have not been read. Figures do not wait for them. */
export function MissingIncidents({ failed }: { failed: boolean }): ReactNode {
  const readAgain = useReadAgain();
  if (!failed) return <p className="soft">Looking for incidents …</p>;
  return (
    <p>
      Incidents could not be read. The figures are complete without them.{" "}
      <Button look="small" onClick={readAgain}>
        Try again
      </Button>
    </p>
  );
}
