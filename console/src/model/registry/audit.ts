import type {
  AuditEntryJson,
  BindingJson,
  FieldChangeJson,
} from "#src/gen/waybill/registry/v1/registry_pb.js";
import { grantsIn, keyOf } from "./policy.js";

/** Methods that the log names, with a title for each. */
export const METHODS: Readonly<Record<string, string>> = {
  SetIamPolicy: "Access changed",
  CreateProject: "Project created",
  UpdateProject: "Project changed",
  DeleteProject: "Project deleted",
  UndeleteProject: "Project restored",
  CreateIosApp: "iOS app created",
  UpdateIosApp: "iOS app changed",
  RemoveIosApp: "iOS app removed",
  UndeleteIosApp: "iOS app restored",
  CreateAndroidApp: "Android app created",
  UpdateAndroidApp: "Android app changed",
  RemoveAndroidApp: "Android app removed",
  UndeleteAndroidApp: "Android app restored",
  CreateWebApp: "Web app created",
  UpdateWebApp: "Web app changed",
  RemoveWebApp: "Web app removed",
  UndeleteWebApp: "Web app restored",
  UpdateAppAttestConfig: "Token lifetime changed",
  CreateDebugToken: "Debug token created",
  UpdateDebugToken: "Debug token changed",
  DeleteDebugToken: "Debug token deleted",
  DeleteAttestedKey: "Attested key revoked",
  AcknowledgeAndroidIncident: "Incident acknowledged",
  ReopenAndroidIncident: "Incident reopened",
  UpdateAndroidIncident: "Incident note changed",
};

/** The change of one field, in words. */
export interface FieldLine {
  readonly field: string;
  /** Undefined if the field was not set. */
  readonly before: string | undefined;
  /** Undefined if the field is no longer set. */
  readonly after: string | undefined;
}

export interface AuditEntry {
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** What happened, such as `Access changed`. */
  readonly title: string;
  readonly resource: string;
  readonly principal: string;
  readonly issuer: string;
  readonly address: string;
  readonly lines: readonly FieldLine[];
}

/** Filter of the audit log. Empty texts select everything. */
export interface AuditFilter {
  readonly principal: string;
  readonly method: string;
}

export function auditEntryOf(json: AuditEntryJson): AuditEntry {
  const { name = "", time = "", method = "", resource = "", changes = [] } = json;
  const { principal = "", issuer = "", remoteAddress: address = "" } = json;
  return {
    name,
    time: Date.parse(time),
    title: METHODS[method] ?? method,
    resource,
    principal,
    issuer,
    address,
    lines: changes.flatMap(linesOf),
  };
}

/** Bindings change in members; other fields change as a whole. */
function linesOf({ field = "", before, after }: FieldChangeJson): readonly FieldLine[] {
  if (field !== "bindings") return [{ field, before: textOf(before), after: textOf(after) }];
  const [old, next] = [grantsOf(before), grantsOf(after)];
  const changed = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>) =>
    [...from].filter(([key]) => !to.has(key)).map(([, text]) => text);
  return [
    ...changed(old, next).map((text) => ({ field: "access", before: text, after: undefined })),
    ...changed(next, old).map((text) => ({ field: "access", before: undefined, after: text })),
  ];
}

const grantsOf = (json: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    grantsIn(json === undefined ? [] : (JSON.parse(json) as BindingJson[])).map((grant) => [
      keyOf(grant),
      `${grant.role} ${grant.member}`,
    ]),
  );

/** Shows a JSON value; a text without quotes. */
function textOf(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}
