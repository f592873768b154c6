import type { ReactNode } from "react";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import type { DebugToken } from "#console/model/integrity/debug-token.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

/** Deletes a debug token. */
export function DeleteTokenDialog({ token, onClose, onDone }: { token: DebugToken } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const { displayName } = token;
  const change = useChange(() => api.deleteDebugToken(token), {
    done: () => onDone(`Deleted ${displayName}.`),
  });
  return (
    <Dialog title={`Delete ${displayName}`} onClose={onClose}>
      <ChangeForm
        action="Delete"
        change={change}
        onCancel={onClose}
        effect={`The secret of ${displayName} can no longer be exchanged for tokens. Tokens that were issued for it remain valid until they expire.`}
      />
    </Dialog>
  );
}
