import type { ReactNode } from "react";
import { useTargets } from "#console/api/queries.js";
import { useMayChange } from "#console/api/registry-queries.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { CHANGE_TARGETS, type Target, targetFor, targetScopeOf } from "#console/model/figures/target.js";
import { useDialog } from "../change/use-dialog.js";
import { DeleteTargetDialog, TargetDialog } from "./target-dialogs.js";

type DialogKind = { readonly kind: "set" } | { readonly kind: "delete"; readonly target: Target };

/** The target about the shown messages, and dialogs to change it. */
interface TargetOfSelection {
  readonly target: Target | undefined;
  /** Opens the dialog. Undefined if the viewer may not change targets, or if several labels are chosen. */
  readonly open: (() => void) | undefined;
  /** The open dialog. */
  readonly shown: ReactNode;
  /** Announces the last change. */
  readonly announcement: ReactNode;
}

/** Lets the viewer set, change and delete the selected app's or label's target. */
export function useTargetDialog(selection: EntriesSelection): TargetOfSelection {
  const { project } = selection;
  const scope = targetScopeOf(selection);
  const { data: targets } = useTargets(project);
  const mayChange = useMayChange(project, CHANGE_TARGETS);
  const dialog = useDialog<DialogKind>();
  const target = targetFor(targets ?? [], scope);
  const isOffered = mayChange && scope !== undefined && targets !== undefined;
  return {
    target,
    open: isOffered ? () => dialog.open({ kind: "set" }) : undefined,
    announcement: dialog.announcement,
    shown: scope !== undefined && (
      <>
        {dialog.shown?.kind === "set" && (
          <TargetDialog
            project={project}
            scope={scope}
            target={target}
            onDelete={(deleted) => dialog.open({ kind: "delete", target: deleted })}
            {...dialog.ends}
          />
        )}
        {dialog.shown?.kind === "delete" && (
          // After a conflict, the target is newer.
          <DeleteTargetDialog scope={scope} target={target ?? dialog.shown.target} {...dialog.ends} />
        )}
      </>
    ),
  };
}
