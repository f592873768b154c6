import type { ReactNode } from "react";
import { useServices } from "#console/api/services.js";
import { RESULT_TITLES, type Target, type TargetScope } from "#console/model/figures/target.js";
import { formatPercent } from "#console/model/numbers/format-number.js";
import { Button } from "#console/ui/elements/basics.js";
import { ConfirmDialog } from "../change/confirm-dialog.js";
import type { DialogEnds } from "../change/use-dialog.js";
import { ValueDialog } from "../change/value-dialog.js";

/** Properties of a dialog about the target of some messages. */
interface OfMessages extends DialogEnds {
  readonly scope: TargetScope;
}

export function TargetDialog({
  project,
  scope,
  target,
  onDelete,
  ...ends
}: OfMessages & {
  project: string;
  /** The target as it is now. Undefined if there is none. */
  target: Target | undefined;
  onDelete: (target: Target) => void;
}): ReactNode {
  const { targets } = useServices().api;
  const about = scopeText(scope);
  return (
    <ValueDialog
      {...ends}
      title={`Target of ${about}`}
      action={target === undefined ? "Set" : "Change"}
      label="Delivered, in percent"
      inputMode="decimal"
      effect="Lists show whether the last complete day met the target, and the chart has a line. Webhooks report a missed target."
      initial={target === undefined ? "" : String(target.delivered)}
      read={(value) => {
        const delivered = percentOf(value);
        const isNew = delivered !== undefined && delivered !== target?.delivered;
        return {
          make: isNew
            ? () =>
                target === undefined
                  ? targets.create(project, scope, delivered)
                  : targets.change(target, delivered)
            : undefined,
          done: `The target of ${about} is ${formatPercent(delivered)}.`,
          help:
            value !== "" && delivered === undefined
              ? "Enter a number above 0, up to 100."
              : target === undefined
                ? "Minimum share of accepted messages to deliver each day, such as 85."
                : `The current target is ${formatPercent(target.delivered)}.`,
        };
      }}
    >
      {target !== undefined && (
        <>
          {target.result !== undefined && (
            <p>
              <strong>{RESULT_TITLES[target.result]}</strong>: {target.explanation}
            </p>
          )}
          <p>
            <Button look="small" onClick={() => onDelete(target)}>
              Delete the target
            </Button>
          </p>
        </>
      )}
    </ValueDialog>
  );
}

export function DeleteTargetDialog({ scope, target, ...ends }: OfMessages & { target: Target }): ReactNode {
  const { targets } = useServices().api;
  const about = scopeText(scope);
  return (
    <ConfirmDialog
      {...ends}
      title={`Delete the target of ${about}`}
      action="Delete"
      effect="Lists and charts no longer show it, and webhooks no longer report it. The audit log keeps it."
      make={() => targets.delete(target)}
      done={`Deleted the target of ${about}.`}
    />
  );
}

/** Describes a target's messages within a sentence. */
const scopeText = ({ label }: TargetScope): string =>
  label === undefined ? "the whole app" : label === "" ? "messages without a label" : `label ${label}`;

/** Parses a typed percentage, with a decimal point or comma. Undefined if it is not one. */
function percentOf(value: string): number | undefined {
  if (!/^\d{1,3}([.,]\d+)?$/.test(value)) return undefined;
  const percent = Number(value.replace(",", "."));
  return percent > 0 && percent <= 100 ? percent : undefined;
}
