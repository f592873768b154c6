import type { ReactNode } from "react";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import type { AttestedKey } from "#console/model/integrity/attested-key.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

/** Revokes an attested key. */
export function RevokeKeyDialog({
  attested,
  onClose,
  onDone,
}: { attested: AttestedKey } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const change = useChange(() => api.revokeKey(attested), { done: () => onDone("Revoked the key.") });
  return (
    <Dialog title="Revoke the key" onClose={onClose}>
      <ChangeForm
        action="Revoke"
        change={change}
        onCancel={onClose}
        effect={`All assertions of the key ${attested.id} fail from now on. Tokens that the device already has remain valid until they expire. The device can attest a new key.`}
      />
    </Dialog>
  );
}
