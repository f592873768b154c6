import { create } from "@bufbuild/protobuf";
import { type Empty, EmptySchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ApiError, ParameterViolations } from "../../api/api-error.js";
import type { AppCaller, ProjectCaller } from "../../api/caller.js";
import { resourceNotFound } from "../../api/errors.js";
import type { CallContext } from "../../api/service.js";
import { type MaskFields, readUpdateMask } from "../../api/update-mask.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  type AppCheckToken,
  type CreateDebugTokenRequest,
  type DebugToken,
  DebugTokenSchema,
  type DeleteDebugTokenRequest,
  type ExchangeDebugTokenRequest,
  type GetDebugTokenRequest,
  IntegrityService,
  type ListDebugTokensRequest,
  type ListDebugTokensResponse,
  ListDebugTokensResponseSchema,
  type UpdateDebugTokenRequest,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { excerpt } from "../../limits/excerpt.js";
import { itemsAfter, readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { auditNote } from "../../registry/audit/audit-note.js";
import type { Registry } from "../../registry/registry.js";
import { type AppKey, appOfCall } from "../app-key.js";
import type { AttestationFailures } from "../failures/attestation-failures.js";
import type { TokenIssuer } from "../tokens/token-issuer.js";
import { type DebugTokens, MAX_DEBUG_TOKENS, type StoredDebugToken } from "./debug-tokens.js";

const MAX_DISPLAY_NAME = 100;
/** A random UUID (RFC 9562 §5.4). */
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const { createDebugToken, listDebugTokens, updateDebugToken, deleteDebugToken } = IntegrityService.method;

const FIELDS: MaskFields = {
  changeable: ["display_name"],
  immutable: ["name", "token"],
  outputOnly: ["update_time"],
};

type Context = CallContext<ProjectCaller>;

export function debugTokenHandlers(
  tokens: DebugTokens,
  registry: Pick<Registry, "app">,
  pageTokens: PageTokens,
) {
  const appOf = (context: Context): AppKey => appOfCall(registry, context);

  return {
    async create({ debugToken }: CreateDebugTokenRequest, context: Context): Promise<DebugToken> {
      const app = appOf(context);
      const { displayName = "", token: secret = "" } = debugToken ?? {};
      const violations = new ParameterViolations();
      checkDisplayName(displayName, violations);
      if (!UUID4.test(secret))
        violations.add(
          "INVALID_DEBUG_TOKEN",
          "token",
          "must be a random UUID (version 4); uuidgen prints one",
        );
      violations.throwIfAny();
      const note = auditNote(context.caller, createDebugToken.name);
      const created = await tokens.create(app, { displayName, secret }, note);
      if (created === undefined) throw notCreated(app);
      return messageOf(app, created);
    },

    async get({ name }: GetDebugTokenRequest, context: Context): Promise<DebugToken> {
      const app = appOf(context);
      return messageOf(app, expectFound(name, await tokens.find(app, context.resource.idIn("debugTokens"))));
    },

    async list(request: ListDebugTokensRequest, context: Context): Promise<ListDebugTokensResponse> {
      const app = appOf(context);
      const read = async (after: string | undefined, limit: number) =>
        itemsAfter(await tokens.list(app), ({ id }) => after === undefined || id > after, limit);
      const parent = `projects/${app.project}/apps/${app.appId}`;
      const positionOf = ({ id }: StoredDebugToken): string => id;
      const list = { operation: listDebugTokens.name, parent, read, positionOf };
      const { items, nextPageToken } = await readPageOf(list, request, pageTokens);
      const debugTokens = items.map((token) => messageOf(app, token));
      return create(ListDebugTokensResponseSchema, { debugTokens, nextPageToken });
    },

    async update({ debugToken, updateMask }: UpdateDebugTokenRequest, context: Context): Promise<DebugToken> {
      const app = appOf(context);
      const { name = "", displayName = "" } = debugToken ?? {};
      readUpdateMask(updateMask, FIELDS, true);
      const violations = new ParameterViolations();
      checkDisplayName(displayName, violations);
      violations.throwIfAny();
      const note = auditNote(context.caller, updateDebugToken.name);
      const id = context.resource.idIn("debugTokens");
      return messageOf(app, expectFound(name, await tokens.rename(app, id, displayName, note)));
    },

    async delete({ name }: DeleteDebugTokenRequest, context: Context): Promise<Empty> {
      const app = appOf(context);
      const note = auditNote(context.caller, deleteDebugToken.name);
      expectFound(name, await tokens.delete(app, context.resource.idIn("debugTokens"), note));
      return create(EmptySchema);
    },
  };
}

export function exchangeDebugTokenHandler(
  tokens: Pick<DebugTokens, "accepts">,
  issuer: TokenIssuer,
  failures: Pick<AttestationFailures, "fail">,
) {
  return async (
    { debugToken, limitedUse }: ExchangeDebugTokenRequest,
    { caller: { project }, resource }: CallContext<AppCaller>,
  ): Promise<AppCheckToken> => {
    const appId = resource.idIn("apps");
    const app = { project: project.number, appId };
    if (!(await tokens.accepts(app, debugToken))) {
      const found = debugToken === "" ? "none" : "a secret that no debug token of the app has";
      throw await failures.fail(app, {
        provider: "debug",
        step: "debug_token",
        expected: "a debug token's secret",
        found,
      });
    }
    return issuer.issue({ project, appId, provider: "debug", limitedUse });
  };
}

function checkDisplayName(displayName: string, violations: ParameterViolations): void {
  const length = [...displayName].length;
  if (length < 1 || length > MAX_DISPLAY_NAME || /\p{Cc}/u.test(displayName)) {
    const description = `must have 1 to ${MAX_DISPLAY_NAME} characters, without control characters`;
    violations.add("INVALID_DISPLAY_NAME", "displayName", description);
  }
}

function messageOf(
  { project, appId }: AppKey,
  { id, displayName, updateTime }: StoredDebugToken,
): DebugToken {
  const name = `projects/${project}/apps/${appId}/debugTokens/${id}`;
  return create(DebugTokenSchema, { name, displayName, updateTime: timestampFromMs(updateTime) });
}

function expectFound(name: string, token: StoredDebugToken | undefined): StoredDebugToken {
  if (token !== undefined) return token;
  throw resourceNotFound(name, "List the app's debug tokens.");
}

const notCreated = ({ project, appId }: AppKey): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "DEBUG_TOKEN_NOT_CREATED",
    message:
      `projects/${project}/apps/${excerpt(appId)} already has ${MAX_DEBUG_TOKENS} debug tokens, or one with this secret. ` +
      "Delete an unused debug token, or send another secret.",
    metadata: { resourceName: `projects/${project}/apps/${excerpt(appId)}` },
  });
