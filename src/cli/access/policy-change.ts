import { type BindingJson, type RegistryClient, WaybillError } from "@waybill/client";
import { backoffMs, pause } from "@waybill/client/support";

/** Changes bindings. Returns the same array if nothing needs to change. */
export type Change = (bindings: readonly BindingJson[]) => readonly BindingJson[];

/** Maximum number of attempts if someone else changes the policy at the same time. */
const ATTEMPTS = 10;

/**
 * Changes a project's policy: reads the policy, and replaces it unless someone else has changed it in between. In that
 * case, tries again.
 *
 * @returns true if the policy has changed; false if no change was needed.
 * @throws WaybillError if a call fails; `ABORTED` after 10 attempts with changes by others.
 */
export async function changePolicy(
  registry: Pick<RegistryClient, "getIamPolicy" | "setIamPolicy">,
  project: string,
  change: Change,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const policy = await registry.getIamPolicy({ project });
    const before = policy.bindings ?? [];
    const bindings = change(before);
    if (bindings === before) return false;
    try {
      await registry.setIamPolicy({ project, policy: { ...policy, bindings: [...bindings] } });
      return true;
    } catch (error) {
      const isConflict = error instanceof WaybillError && error.code === "ABORTED";
      if (!isConflict || attempt === ATTEMPTS) throw error;
      await pause(backoffMs(attempt, { firstMs: 20, maxMs: 1_000 }), undefined);
    }
  }
}

export function withMembers(
  bindings: readonly BindingJson[],
  role: string,
  members: readonly string[],
): readonly BindingJson[] {
  const known = new Set(
    bindings.flatMap((binding) => (binding.role === role ? (binding.members ?? []) : [])),
  );
  const added = [...new Set(members)].filter((member) => !known.has(member));
  return added.length === 0 ? bindings : [...bindings, { role, members: added }];
}

/** Removes members from a role. @param role the role; undefined to remove the members from all roles. */
export function withoutMembers(
  bindings: readonly BindingJson[],
  role: string | undefined,
  members: readonly string[],
): readonly BindingJson[] {
  const isRevoked = (binding: BindingJson, member: string): boolean =>
    (role === undefined || binding.role === role) && members.includes(member);
  const has = bindings.some((binding) => binding.members?.some((member) => isRevoked(binding, member)));
  if (!has) return bindings;
  return bindings
    .map((binding) => ({
      ...binding,
      members: (binding.members ?? []).filter((member) => !isRevoked(binding, member)),
    }))
    .filter(({ members: left }) => left.length > 0);
}
