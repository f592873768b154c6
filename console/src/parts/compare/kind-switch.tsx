import type { ReactNode } from "react";
import type { Comparison } from "../../model/view/view.js";
import { changeView } from "../../ui/view/use-view.js";

const KINDS: readonly { title: string; comparison: Comparison }[] = [
  { title: "Two labels", comparison: { kind: "labels", left: undefined, right: undefined } },
  { title: "Two ranges", comparison: { kind: "ranges", other: undefined } },
];

/** Switches the kind of comparison, and holds the controls that choose the two sides. */
export function KindSwitch({ kind, children }: { kind: Comparison["kind"]; children: ReactNode }): ReactNode {
  return (
    <section className="filter-bar card" aria-label="What to compare">
      <fieldset className="segments">
        <legend className="visually-hidden">Compare</legend>
        {KINDS.map(({ title, comparison }) => (
          <button
            key={title}
            type="button"
            aria-pressed={kind === comparison.kind}
            onClick={() => {
              if (kind !== comparison.kind) changeView({ comparison });
            }}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {children}
    </section>
  );
}
