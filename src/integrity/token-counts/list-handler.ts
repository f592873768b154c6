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
import { expectApp } from "../tokens/token-issuer.js";
import type { TokenCount, TokenCounts } from "./token-counts.js";

const operation = IntegrityService.method.listAttestationTokenCounts.name;

/** Creates the handler of `ListAttestationTokenCounts`. */
export function listTokenCountsHandler(
  counts: Pick<TokenCounts, "list">,
  registry: Pick<Registry, "app">,
  tokens: PageTokens,
) {
  return async (
    request: ListAttestationTokenCountsRequest,
    { caller: { project }, resource }: CallContext<ProjectCaller>,
  ): Promise<ListAttestationTokenCountsResponse> => {
    const appId = resource.idIn("apps");
    expectApp(registry, project, appId);
    const parent = `projects/${project.number}/apps/${appId}`;
    const read = (after: string | undefined, limit: number) =>
      counts.list({ project: project.number, appId }, after, limit);
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
