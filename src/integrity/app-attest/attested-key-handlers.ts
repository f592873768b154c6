import { create } from "@bufbuild/protobuf";
import { type Empty, EmptySchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import { resourceNotFound } from "../../api/errors.js";
import type { CallContext } from "../../api/service.js";
import {
  AttestationEnvironment,
  type AttestedKey,
  AttestedKeySchema,
  type DeleteAttestedKeyRequest,
  type GetAttestedKeyRequest,
  IntegrityService,
  type ListAttestedKeysRequest,
  type ListAttestedKeysResponse,
  ListAttestedKeysResponseSchema,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { auditNote } from "../../registry/audit/audit-note.js";
import type { Registry } from "../../registry/registry.js";
import { type AppKey, appOfCall } from "../app-key.js";
import type { AttestedKeys, StoredAttestedKey } from "./attested-keys.js";

const { listAttestedKeys, deleteAttestedKey } = IntegrityService.method;

const ENVIRONMENTS = {
  production: AttestationEnvironment.PRODUCTION,
  development: AttestationEnvironment.DEVELOPMENT,
} as const;

type Context = CallContext<ProjectCaller>;

export interface RevokedKey extends AppKey {
  readonly keyId: string;
  /** Name of the principal who revoked the key. */
  readonly principal: string;
}

/** Creates the handlers that list, read and revoke attested keys. */
export function attestedKeyHandlers(
  keys: AttestedKeys,
  registry: Pick<Registry, "app">,
  pageTokens: PageTokens,
  onRevoked: (key: RevokedKey) => void,
) {
  const appOf = (context: Context): AppKey => appOfCall(registry, context);

  return {
    async list(request: ListAttestedKeysRequest, context: Context): Promise<ListAttestedKeysResponse> {
      const app = appOf(context);
      const { items, nextPageToken } = await readPageOf(
        {
          operation: listAttestedKeys.name,
          parent: `projects/${app.project}/apps/${app.appId}`,
          read: (after, limit) => keys.list(app, after, limit),
          positionOf: ({ keyId }) => keyId,
        },
        request,
        pageTokens,
      );
      const attestedKeys = items.map((key) => messageOf(app, key));
      return create(ListAttestedKeysResponseSchema, { attestedKeys, nextPageToken });
    },

    async get({ name }: GetAttestedKeyRequest, context: Context): Promise<AttestedKey> {
      const app = appOf(context);
      const found = await keys.find(app, context.resource.idIn("attestedKeys"));
      if (found === undefined) throw keyNotFound(name);
      return messageOf(app, found);
    },

    async delete({ name }: DeleteAttestedKeyRequest, context: Context): Promise<Empty> {
      const app = appOf(context);
      const keyId = context.resource.idIn("attestedKeys");
      const note = auditNote(context.caller, deleteAttestedKey.name);
      if (!(await keys.delete(app, keyId, note))) throw keyNotFound(name);
      onRevoked({ ...app, keyId, principal: context.caller.principal.name });
      return create(EmptySchema);
    },
  };
}

function messageOf(
  { project, appId }: AppKey,
  { keyId, environment, counter, createTime }: StoredAttestedKey,
): AttestedKey {
  return create(AttestedKeySchema, {
    name: `projects/${project}/apps/${appId}/attestedKeys/${keyId}`,
    environment: ENVIRONMENTS[environment],
    counter: BigInt(counter),
    createTime: timestampFromMs(createTime),
  });
}

const keyNotFound = (name: string): ApiError => resourceNotFound(name, "List the app's attested keys.");
