import { create } from "@bufbuild/protobuf";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import {
  AttestationTokenCountSchema,
  IntegrityService,
  type ListAttestationTokenCountsRequest,
  type ListAttestationTokenCountsResponse,
  ListAttestationTokenCountsResponseSchema,
} from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { civilDate } from "../../model/day.js";
import { readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import type { Registry } from "../../registry/registry.js";
import { appOfCall } from "../app-key.js";
import type { TokenCount, TokenCounts } from "./token-counts.js";

const operation = IntegrityService.method.listAttestationTokenCounts.name;

export function listTokenCountsHandler(
  counts: Pick<TokenCounts, "list">,
  registry: Pick<Registry, "app">,
  tokens: PageTokens,
) {
  return async (
    request: ListAttestationTokenCountsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAttestationTokenCountsResponse> => {
    const app = appOfCall(registry, context);
    const parent = `projects/${app.project}/apps/${app.appId}`;
    const read = (after: string | undefined, limit: number) => counts.list(app, after, limit);
    const list = { operation, parent, read, positionOf: ({ id }: TokenCount) => id };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAttestationTokenCountsResponseSchema, {
      attestationTokenCounts: items.map(({ day, provider, issued, rejected, reused }) =>
        create(AttestationTokenCountSchema, {
          date: create(DateSchema, civilDate(day)),
          provider,
          issuedCount: BigInt(issued),
          rejectedCount: BigInt(rejected),
          reusedCount: BigInt(reused),
        }),
      ),
      nextPageToken,
    });
  };
}
