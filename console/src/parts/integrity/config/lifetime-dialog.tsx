import { type ReactNode, useState } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useIntegrityApi } from "#console/api/integrity-queries.js";
import { useCurrentState } from "#console/api/registry-queries.js";
import { lifetimeOptions } from "#console/model/integrity/lifetimes.js";
import { formatTtl } from "#console/model/numbers/format-number.js";
import { Select } from "#console/ui/choose/select.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import type { AppAttestConfigJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";
import { ChangeForm, ChoiceField, WithState } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

export function LifetimeDialog({ app, ...ends }: { app: AttestedAppRef } & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const state = useCurrentState(["config", app.project, app.app], (signal) => api.config(app, signal));
  return (
    <Dialog title="Change token lifetime" onClose={ends.onClose}>
      <WithState state={state}>
        {(config) => <LifetimeForm app={app} config={config} reload={() => state.refetch()} {...ends} />}
      </WithState>
    </Dialog>
  );
}

function LifetimeForm({
  app,
  config,
  reload,
  onClose,
  onDone,
}: {
  app: AttestedAppRef;
  config: AppAttestConfigJson;
  reload: () => Promise<unknown>;
} & DialogEnds): ReactNode {
  const api = useIntegrityApi();
  const { tokenTtl: current = "0s", etag = "" } = config;
  const [picked, setPicked] = useState({ etag, ttl: current });
  // If the configuration has changed since the choice, starts from the current lifetime again.
  const ttl = picked.etag === etag ? picked.ttl : current;
  const change = useChange(() => api.setTokenTtl(config, ttl), {
    reload,
    done: () => onDone(`Tokens are now valid for ${formatTtl(ttl)}.`),
  });
  return (
    <ChangeForm
      action="Change"
      change={change}
      isReady={ttl !== current}
      onCancel={onClose}
      effect={`New tokens of ${app.app} are valid for the chosen time. Existing tokens keep their lifetime. Limited-use tokens are always valid for 5 minutes.`}
    >
      <ChoiceField label="Token lifetime">
        <Select
          label="Token lifetime"
          options={lifetimeOptions(current)}
          chosen={ttl}
          onChoose={(next) => setPicked({ etag, ttl: next })}
        />
      </ChoiceField>
    </ChangeForm>
  );
}
