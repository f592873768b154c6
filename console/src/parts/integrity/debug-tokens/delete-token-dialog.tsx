import type { ReactNode } from "react";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import type { DebugToken } from "#console/model/integrity/debug-token.js";
import { ConfirmDialog } from "../../change/confirm-dialog.js";
import type { DialogEnds } from "../../change/use-dialog.js";

/** Deletes a debug token. */
export function DeleteTokenDialog({ token, ...ends }: { token: DebugToken } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const { displayName } = token;
  return (
    <ConfirmDialog
      {...ends}
      title={`Delete ${displayName}`}
      action="Delete"
      effect={`The secret of ${displayName} can no longer be exchanged for tokens. Tokens that were issued for it remain valid until they expire.`}
      make={() => api.deleteDebugToken(token)}
      done={`Deleted ${displayName}.`}
    />
  );
}
