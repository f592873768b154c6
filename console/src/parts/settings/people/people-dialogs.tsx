import type { ReactNode } from "react";
import { useCurrentState, useRegistryApi } from "#console/api/registry-queries.js";
import type { Grant } from "#console/model/registry/policy.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { WithState } from "../../change/change-form.js";
import type { DialogEnds } from "../../change/use-dialog.js";
import { type AccessFormProps, ChangeRoleForm, GrantForm, RevokeForm } from "./access-forms.js";

export type PeopleDialogKind =
  | { readonly kind: "grant" }
  | { readonly kind: "change" | "revoke"; readonly grant: Grant };

const TITLES = { grant: "Grant access", change: "Change role", revoke: "Revoke access" } as const;

export function PeopleDialog({
  dialog,
  ...rest
}: { project: string; dialog: PeopleDialogKind } & DialogEnds): ReactNode {
  return (
    <Dialog title={TITLES[dialog.kind]} onClose={rest.onClose}>
      <CurrentPolicy {...rest}>
        {(props) => {
          if (dialog.kind === "grant") return <GrantForm {...props} />;
          const Form = dialog.kind === "change" ? ChangeRoleForm : RevokeForm;
          return <Form {...props} grant={dialog.grant} />;
        }}
      </CurrentPolicy>
    </Dialog>
  );
}

function CurrentPolicy({
  project,
  children,
  ...ends
}: {
  project: string;
  children: (props: AccessFormProps) => ReactNode;
} & DialogEnds): ReactNode {
  const registry = useRegistryApi();
  const state = useCurrentState(["policy", project], (signal) => registry.policy(project, signal));
  return (
    <WithState state={state}>
      {(policy) => children({ registry, project, policy, reload: () => state.refetch(), ...ends })}
    </WithState>
  );
}
