/** Kinds of members, by their prefix in policies, with their titles. */
export const MEMBER_KINDS = {
  user: "Person",
  serviceAccount: "Service account",
  principal: "Subject of an issuer",
} as const;

export type MemberKind = keyof typeof MEMBER_KINDS;

/** A member of a policy, in words. */
export interface MemberText {
  /** Email address or subject. */
  readonly name: string;
  /** Kind, and a subject's issuer. */
  readonly detail: string;
}

/** Describes a member, such as `user:ada@example.com`. */
export function memberText(member: string): MemberText {
  const colon = member.indexOf(":");
  const [kind, id] = [member.slice(0, colon), member.slice(colon + 1)];
  if (kind === "principal") {
    const hash = id.indexOf("#");
    return { name: id.slice(hash + 1), detail: `Subject of ${id.slice(0, hash)}` };
  }
  if (kind === "user" || kind === "serviceAccount") return { name: id, detail: MEMBER_KINDS[kind] };
  return { name: member, detail: "" };
}

/** A member as entered in a form. */
export interface TypedMember {
  readonly kind: MemberKind;
  /** Email address, or subject. */
  readonly name: string;
  readonly issuer: string;
}

/** Returns the member for a policy. Undefined while the form is incomplete. */
export function memberOf({ kind, name, issuer }: TypedMember): string | undefined {
  const [id, of] = [name.trim(), issuer.trim()];
  if (id === "") return undefined;
  if (kind !== "principal") return `${kind}:${id}`;
  return of === "" ? undefined : `principal:${of}#${id}`;
}
