import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  AttestationFailureSchema,
  IntegrityService,
  type ListAttestationFailuresRequest,
  type ListAttestationFailuresResponse,
  ListAttestationFailuresResponseSchema,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import type { Registry } from "../../registry/registry.js";
import { appOfCall } from "../app-key.js";
import type { AttestationFailures, StoredFailure } from "./attestation-failures.js";

const operation = IntegrityService.method.listAttestationFailures.name;

export function listFailuresHandler(
  failures: Pick<AttestationFailures, "list">,
  registry: Pick<Registry, "app">,
  tokens: PageTokens,
) {
  return async (
    request: ListAttestationFailuresRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAttestationFailuresResponse> => {
    const app = appOfCall(registry, context);
    const parent = `projects/${app.project}/apps/${app.appId}`;
    const read = (after: string | undefined, limit: number) => failures.list(app, after, limit);
    const list = { operation, parent, read, positionOf: ({ id }: StoredFailure) => id };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAttestationFailuresResponseSchema, {
      attestationFailures: items.map(({ id, time, provider, step, expected, found }) =>
        create(AttestationFailureSchema, {
          name: `${parent}/attestationFailures/${id}`,
          time: timestampFromMs(time),
          provider,
          step,
          expected,
          found,
        }),
      ),
      nextPageToken,
    });
  };
}
