import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import type { Duration, FieldMask } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import { etagFieldMismatch } from "../api/errors.js";
import { checkPreconditions, isTagOf, NO_PRECONDITIONS, type Preconditions } from "../api/preconditions.js";
import type { CallContext } from "../api/service.js";
import { type MaskFields, readUpdateMask } from "../api/update-mask.js";
import {
  type AppAttestConfig,
  IntegrityService,
  type UpdateAppAttestConfigRequest,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type AppAttestConfigValues, isTokenTtl } from "../model/token-ttl.js";
import { auditNote } from "../registry/audit/audit-note.js";
import type { AppAttestConfigChange, AppAttestConfigs } from "./app-attest-configs.js";
import {
  configJson,
  configMessage,
  configName,
  configNotFound,
  etagOf,
  type StoredAppAttestConfig,
} from "./config-resource.js";

const METHOD = IntegrityService.method.updateAppAttestConfig.name;

/** Creates the handler of `UpdateAppAttestConfig` (AIP-134). */
export function updateHandler(store: Pick<AppAttestConfigs, "change">) {
  return async (
    { appAttestConfig, updateMask }: UpdateAppAttestConfigRequest,
    { caller, resource, preconditions, signal }: CallContext<ProjectCaller>,
  ): Promise<AppAttestConfig> => {
    const { name: requested = "", tokenTtl, etag = "" } = appAttestConfig ?? {};
    const appId = resource.idIn("apps");
    const mask = checkUpdateMask(updateMask);
    const values = valuesOf(tokenTtl);
    const name = configName(caller.project.number, appId);
    const change: AppAttestConfigChange = {
      author: auditNote(caller, METHOD),
      updateMask: mask,
      valuesAfter: (current) => {
        signal.throwIfAborted();
        checkEtag(name, current, { etag, preconditions });
        return values;
      },
    };
    const stored = await store.change(caller.project.number, appId, change, signal);
    if (stored === undefined) throw configNotFound(requested);
    return configMessage(name, stored);
  };
}

/** Returns the values that the change sets. Omitted values become the default. */
function valuesOf(tokenTtl: Duration | undefined): AppAttestConfigValues {
  if (tokenTtl === undefined) return {};
  if (isTokenTtl(tokenTtl)) return { tokenTtl: { seconds: tokenTtl.seconds, nanos: tokenTtl.nanos } };
  const description = 'must be from 30 minutes ("1800s") to 7 days ("604800s")';
  throw ApiError.invalidArgument("INVALID_TOKEN_TTL", "tokenTtl", description);
}

const FIELDS: MaskFields = {
  changeable: ["token_ttl"],
  immutable: ["name"],
  outputOnly: ["etag"],
};

/** Validates an update mask. @returns the mask in ProtoJSON form, without duplicates, or `*`. */
function checkUpdateMask(mask: FieldMask | undefined): string {
  const fields = readUpdateMask(mask, FIELDS, true);
  return mask?.paths.includes("*") ? "*" : [...fields].map(protoCamelCase).join();
}

/** The configuration state that a change requires. An omitted part matches any state. */
export interface EtagPrecondition {
  /** The request's `etag` field; empty if omitted. */
  readonly etag: string;
  readonly preconditions: Preconditions;
}

/**
 * Checks that the configuration has not changed since the caller read it. Accepts the resource etag (AIP-154), and the
 * `ETag` header of a GET response, which exists even before the first change.
 *
 * @throws ApiError `ABORTED`; over HTTP, 409 for the field and 412 for a header (RFC 9110 §13.1).
 */
function checkEtag(
  name: string,
  current: StoredAppAttestConfig,
  { etag, preconditions }: EtagPrecondition,
): void {
  if (etag === "" && preconditions === NO_PRECONDITIONS) return;
  const etags = [etagOf(name, current) ?? [], configJson(name, current).etag].flat();
  const asSent = { weak: false, opaque: etag };
  if (etag !== "" && !etags.some((tag) => isTagOf(asSent, tag))) throw etagFieldMismatch(name);
  checkPreconditions(preconditions, etags, name);
}
