import { type ReactNode, useState } from "react";
import type { RegistryApi } from "#console/api/registry-api.js";
import {
  MEMBER_KINDS,
  type MemberKind,
  memberOf,
  memberText,
  type TypedMember,
} from "#console/model/registry/member.js";
import {
  type Grant,
  grantIn,
  type Policy,
  policyJsonOf,
  ROLE_EFFECTS,
  ROLES,
  type Role,
  roleWithArticle,
  withChange,
} from "#console/model/registry/policy.js";
import { Select } from "#console/ui/choose/select.js";
import { ChangeForm, ChoiceField, TextField } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

export interface AccessFormProps extends DialogEnds {
  readonly registry: RegistryApi;
  readonly project: string;
  readonly policy: Policy;
  readonly reload: () => Promise<unknown>;
}

const KINDS = (Object.keys(MEMBER_KINDS) as MemberKind[]).map((value) => ({
  value,
  text: MEMBER_KINDS[value],
}));
const ROLE_OPTIONS = ROLES.map((value) => ({ value, text: `${value[0]?.toUpperCase()}${value.slice(1)}` }));

/** When a change applies. */
const APPLIES = "The change applies in all processes within one second.";

/** Names a member's other roles in the policy; empty if there are none. */
function otherRoles({ grants }: Policy, { member, role }: Grant): string {
  const others = grants.filter((grant) => grant.member === member && grant.role !== role);
  if (others.length === 0) return "";
  return ` ${memberText(member).name} is also ${others.map((grant) => roleWithArticle(grant.role)).join(" and ")}.`;
}

export function GrantForm({
  registry,
  project,
  policy,
  reload,
  onClose,
  onDone,
}: AccessFormProps): ReactNode {
  const [typed, setTyped] = useState<TypedMember>({ kind: "user", name: "", issuer: "" });
  const [role, setRole] = useState<Role>("viewer");
  const member = memberOf(typed);
  const grant = member === undefined ? undefined : { role, member };
  const isGranted = grant !== undefined && grantIn(policy, grant) !== undefined;
  const { name } = typed;
  const change = useChange(
    async () => {
      if (grant === undefined) return;
      await registry.setPolicy(project, policyJsonOf(policy, withChange(policy, { add: grant })));
    },
    { reload, done: () => onDone(`${name.trim()} is now ${roleWithArticle(role)} of project ${project}.`) },
  );
  const type = (change: Partial<TypedMember>) => setTyped({ ...typed, ...change });
  return (
    <ChangeForm
      action="Grant"
      change={change}
      isReady={grant !== undefined && !isGranted}
      onCancel={onClose}
      effect={effectOf()}
    >
      <ChoiceField label="Kind">
        <Select label="Kind" options={KINDS} chosen={typed.kind} onChoose={(kind) => type({ kind })} />
      </ChoiceField>
      {typed.kind === "principal" && (
        <TextField
          label="Issuer"
          help="As in the access token, such as https://accounts.example.com."
          value={typed.issuer}
          onChange={(issuer) => type({ issuer })}
        />
      )}
      <TextField
        label={typed.kind === "principal" ? "Subject" : "Email address"}
        value={name}
        onChange={(next) => type({ name: next })}
      />
      <ChoiceField label="Role">
        <Select label="Role" options={ROLE_OPTIONS} chosen={role} onChoose={setRole} />
      </ChoiceField>
    </ChangeForm>
  );

  function effectOf(): string {
    if (grant === undefined) return `A new ${role} ${ROLE_EFFECTS[role]} in project ${project}.`;
    if (isGranted) return `${name.trim()} is already ${roleWithArticle(role)} of project ${project}.`;
    const becomes = `${name.trim()} becomes ${roleWithArticle(role)} of project ${project}, and ${ROLE_EFFECTS[role]}.`;
    return `${becomes} ${APPLIES}${otherRoles(policy, grant)}`;
  }
}

/** Replaces a member's role by a different one. */
export function ChangeRoleForm({
  registry,
  project,
  policy,
  reload,
  onClose,
  onDone,
  grant,
}: AccessFormProps & { grant: Grant }): ReactNode {
  const [role, setRole] = useState<Role>(grant.role);
  const { name } = memberText(grant.member);
  const isThere = grantIn(policy, grant) !== undefined;
  const change = useChange(
    () => {
      const add = { role, member: grant.member };
      return registry.setPolicy(project, policyJsonOf(policy, withChange(policy, { without: grant, add })));
    },
    { reload, done: () => onDone(`${name} is now ${roleWithArticle(role)} of project ${project}.`) },
  );
  const gone = `${name} is no longer ${roleWithArticle(grant.role)} of project ${project}.`;
  return (
    <ChangeForm
      action={isThere ? "Change role" : undefined}
      change={change}
      isReady={role !== grant.role}
      onCancel={onClose}
      effect={
        isThere
          ? `${name} is ${roleWithArticle(grant.role)} of project ${project}. ${
              role === grant.role
                ? "Choose another role."
                : `As ${roleWithArticle(role)}, ${name} ${ROLE_EFFECTS[role]}. ${APPLIES}`
            }`
          : `${gone}${otherRoles(policy, grant)}`
      }
    >
      {isThere && (
        <ChoiceField label="Role">
          <Select label="Role" options={ROLE_OPTIONS} chosen={role} onChoose={setRole} />
        </ChoiceField>
      )}
    </ChangeForm>
  );
}

export function RevokeForm({
  registry,
  project,
  policy,
  reload,
  onClose,
  onDone,
  grant,
}: AccessFormProps & { grant: Grant }): ReactNode {
  const { name } = memberText(grant.member);
  const isThere = grantIn(policy, grant) !== undefined;
  const change = useChange(
    () => registry.setPolicy(project, policyJsonOf(policy, withChange(policy, { without: grant }))),
    {
      reload,
      done: () => onDone(`${name} is no longer ${roleWithArticle(grant.role)} of project ${project}.`),
    },
  );
  const others = otherRoles(policy, grant);
  return (
    <ChangeForm
      action={isThere ? "Revoke" : undefined}
      change={change}
      onCancel={onClose}
      effect={
        isThere
          ? `${name} loses the ${grant.role} role on project ${project}. ${
              others === "" ? `Without another role, ${name} has no access to the project.` : others.trim()
            } ${APPLIES}`
          : `${name} is no longer ${roleWithArticle(grant.role)} of project ${project}. There is nothing to revoke.${others}`
      }
    />
  );
}
