import type { Principal } from "../api/caller.js";
import type { Json, RecordChange } from "../control/records.js";
import { recordEtag } from "./entries.js";

/** Who made a change, for the history of records. */
export interface AuditNote {
  readonly principal: string;
  readonly issuer: string;
  /** Remote network. */
  readonly network: string;
  /** Name of the method in the contract. */
  readonly method: string;
  /** Etag of the resource before the change; omitted if it did not exist. */
  readonly etagBefore?: string;
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

/** Returns the note for a change of a record, with the etag before it. */
export const noteOf = (
  { key, ifRevision = 0 }: Pick<RecordChange, "key" | "ifRevision">,
  note: AuditNote,
): Json => ({
  ...note,
  ...(ifRevision > 0 && { etagBefore: recordEtag(key, ifRevision) }),
});
