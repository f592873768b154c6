import { type ReactNode, useState } from "react";
import type { AppRef, AppState, RegistryApi } from "#console/api/registry-api.js";
import { useCurrentState, useRegistryApi } from "#console/api/registry-queries.js";
import { MAX_APP_NAME, type RegisteredApp } from "#console/model/registry/registered-app.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm, TextField, WithState } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";
import { CreateAppDialog } from "./create-app-dialog.js";

export type AppDialogKind =
  | { readonly kind: "create" }
  | { readonly kind: "rename" | "remove" | "restore"; readonly app: RegisteredApp };

const TITLES = { rename: "Rename", remove: "Remove", restore: "Restore" } as const;

export function AppDialog({
  project,
  dialog,
  ...ends
}: { project: string; dialog: AppDialogKind } & DialogEnds): ReactNode {
  if (dialog.kind === "create") return <CreateAppDialog project={project} {...ends} />;
  const { kind, app } = dialog;
  if (app.platform === undefined) throw new Error(`the app ${app.id} cannot be changed`);
  const ref = { project, platform: app.platform, app: app.id };
  return (
    <Dialog title={`${TITLES[kind]} ${app.title}`} onClose={ends.onClose}>
      <CurrentApp kind={kind} app={ref} title={app.title} {...ends} />
    </Dialog>
  );
}

interface AppFormProps extends DialogEnds {
  readonly registry: RegistryApi;
  readonly app: AppRef;
  /** Name of the app in texts. */
  readonly title: string;
  readonly state: AppState;
  readonly reload: () => Promise<unknown>;
}

const FORMS = { rename: RenameForm, remove: RemoveForm, restore: RestoreForm } as const;

function CurrentApp({
  kind,
  app,
  ...rest
}: { kind: keyof typeof FORMS; app: AppRef; title: string } & DialogEnds): ReactNode {
  const registry = useRegistryApi();
  const state = useCurrentState(["app", app.project, app.app], (signal) => registry.app(app, signal));
  const Form = FORMS[kind];
  return (
    <WithState state={state}>
      {(current) => (
        <Form registry={registry} app={app} state={current} reload={() => state.refetch()} {...rest} />
      )}
    </WithState>
  );
}

function RenameForm({ registry, app, title, state, reload, onClose, onDone }: AppFormProps): ReactNode {
  const [typed, setTyped] = useState({ etag: state.etag, name: state.displayName });
  // If the app has changed since the input, starts from the current name again.
  const name = typed.etag === state.etag ? typed.name : state.displayName;
  const change = useChange(() => registry.renameApp(app, name.trim(), state.etag), {
    reload,
    done: () => onDone(`Renamed ${title} to ${name.trim()}.`),
  });
  return (
    <ChangeForm
      action={state.isRemoved ? undefined : "Rename"}
      change={change}
      isReady={name.trim() !== "" && name.trim() !== state.displayName}
      onCancel={onClose}
      effect={
        state.isRemoved
          ? `${title} is removed. Restore it before you rename it.`
          : "The new name is shown in lists of apps. The app ID and everything that uses it stay as they are."
      }
    >
      <TextField
        label="Display name"
        value={name}
        maxLength={MAX_APP_NAME}
        help={`The current name is ${state.displayName === "" ? "empty" : `“${state.displayName}”`}.`}
        onChange={(next) => setTyped({ etag: state.etag, name: next })}
      />
    </ChangeForm>
  );
}

function RemoveForm({ registry, app, title, state, reload, onClose, onDone }: AppFormProps): ReactNode {
  const name = state.displayName === "" ? title : state.displayName;
  const change = useChange(() => registry.removeApp(app, state.etag), {
    reload,
    done: () => onDone(`Removed ${name}.`),
  });
  return (
    <ChangeForm
      action={state.isRemoved ? undefined : "Remove"}
      change={change}
      onCancel={onClose}
      effect={
        state.isRemoved
          ? `${name} is already removed.`
          : `${name} (${app.app}) is removed from project ${app.project}: the app-integrity service no longer knows it. Its delivery data stays. You can restore the app for 30 days, unless your server operator has set another period.`
      }
    />
  );
}

function RestoreForm({ registry, app, title, state, reload, onClose, onDone }: AppFormProps): ReactNode {
  const name = state.displayName === "" ? title : state.displayName;
  const change = useChange(() => registry.restoreApp(app, state.etag), {
    reload,
    done: () => onDone(`Restored ${name}.`),
  });
  return (
    <ChangeForm
      action={state.isRemoved ? "Restore" : undefined}
      change={change}
      onCancel={onClose}
      effect={
        state.isRemoved
          ? `${name} (${app.app}) is an app of project ${app.project} again, with the same ID and the configuration that it had.`
          : `${name} is already restored.`
      }
    />
  );
}
