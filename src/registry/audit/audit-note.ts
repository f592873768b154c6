import type { Principal } from "../../api/caller.js";
import type { Json, RecordChange } from "../../control/records.js";
import { digestOf, entryOf, recordEtag } from "../entries.js";
import type { Registry } from "../registry.js";

/** Who made a change, for the history of records. */
export interface AuditNote {
  readonly principal: string;
  readonly issuer: string;
  /** Remote network of the caller. */
  readonly network: string;
  /** Name of the method in the contract. */
  readonly method: string;
  /** Etag of the resource before the change; omitted if it did not exist. */
  readonly etagBefore?: string;
  /**
   * Only for changes of a policy: digest of the bindings that the config file defines for the project. The policy etag
   * includes this digest.
   */
  readonly fileBindings?: string;
}

/** Returns the note for a change by a caller. */
export const auditNote = (
  { principal, networkOf }: { readonly principal: Principal; readonly networkOf: () => string },
  method: string,
): AuditNote => ({
  principal: principal.name,
  issuer: principal.issuer,
  network: networkOf(),
  method,
});

/** Returns the note for a change of a project, an app or a policy, with the etag before it. */
export function noteOf(
  { key, ifRevision = 0 }: Pick<RecordChange, "key" | "ifRevision">,
  note: AuditNote,
  registry: Pick<Registry, "project" | "fileBindings" | "policyEtag">,
): Json {
  const { type, project } = entryOf(key);
  if (type !== "policy")
    return { ...note, ...(ifRevision > 0 && { etagBefore: recordEtag(key, ifRevision) }) };
  return {
    ...note,
    fileBindings: digestOf(registry.fileBindings(project)),
    // An existing project always has a policy, perhaps an empty one.
    ...(registry.project(project) !== undefined && { etagBefore: registry.policyEtag(project) }),
  };
}
