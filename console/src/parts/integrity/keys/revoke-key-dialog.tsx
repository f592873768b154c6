import type { ReactNode } from "react";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import type { AttestedKey } from "#console/model/integrity/attested-key.js";
import { ConfirmDialog } from "../../change/confirm-dialog.js";
import type { DialogEnds } from "../../change/use-dialog.js";

/** Revokes an attested key. */
export function RevokeKeyDialog({ attested, ...ends }: { attested: AttestedKey } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  return (
    <ConfirmDialog
      {...ends}
      title="Revoke the key"
      action="Revoke"
      effect={`All assertions of the key ${attested.id} fail from now on. Tokens that the device already has remain valid until they expire. The device can attest a new key.`}
      make={() => api.revokeKey(attested)}
      done="Revoked the key."
    />
  );
}
