import type { ReactNode } from "react";
import type { Comparison } from "#console/model/view/view.js";
import { ChoiceRow, Segments } from "#console/ui/choose/controls.js";
import { Card } from "#console/ui/elements/card.js";
import { changeView } from "#console/ui/view/use-view.js";

const KINDS: readonly { title: string; comparison: Comparison }[] = [
  { title: "Two labels", comparison: { kind: "labels", left: undefined, right: undefined } },
  { title: "Two ranges", comparison: { kind: "ranges", other: undefined } },
];

/** Switches between comparing labels and ranges, next to the controls for both sides. */
export function KindSwitch({ kind, children }: { kind: Comparison["kind"]; children: ReactNode }): ReactNode {
  return (
    <Card label="Comparison">
      <ChoiceRow>
        <Segments
          legend="Compare"
          segments={KINDS.map(({ title, comparison }) => ({
            title,
            isChosen: kind === comparison.kind,
            choose: () => {
              if (kind !== comparison.kind) changeView({ comparison });
            },
          }))}
        />
        {children}
      </ChoiceRow>
    </Card>
  );
}
