import { useState } from "react";
import { useChanged } from "#console/api/registry-queries.js";
import { changeProblem, conflictOf } from "#console/ui/states/change-failure.js";

export interface Change {
  readonly isBusy: boolean;
  /** Explains that somebody else changed the resource before the last attempt. */
  readonly conflict: string | undefined;
  /** Why the last attempt failed otherwise. */
  readonly problem: string | undefined;
  /** Makes the change. Closes the dialog if it succeeds. */
  run(): void;
}

/**
 * Prepares a change.
 *
 * @param make makes the change, based on the state in the dialog.
 * @param reload reads that state again, after a conflict.
 * @param done called after the change, with the message to announce.
 */
export function useChange(
  make: () => Promise<void>,
  { reload, done }: { readonly reload?: () => Promise<unknown>; readonly done: () => void },
): Change {
  const [state, setState] = useState<Omit<Change, "run">>(IDLE);
  const changed = useChanged();
  const run = async (): Promise<void> => {
    setState({ ...IDLE, isBusy: true });
    try {
      await make();
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict !== undefined) await Promise.all([reload?.(), changed()]);
      setState({
        isBusy: false,
        conflict,
        problem: conflict === undefined ? changeProblem(error) : undefined,
      });
      return;
    }
    await changed();
    done();
  };
  return { ...state, run: () => void run() };
}

const IDLE: Omit<Change, "run"> = { isBusy: false, conflict: undefined, problem: undefined };
