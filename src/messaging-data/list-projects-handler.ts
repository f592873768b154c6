import { create } from "@bufbuild/protobuf";
import type { EveryProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import {
  type ListProjectsRequest,
  type ListProjectsResponse,
  ListProjectsResponseSchema,
  MessagingDataService,
  ProjectSchema,
} from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { IsMirrored, Project } from "../model/names.js";
import { readPageOf } from "../paging/page.js";
import type { PageTokens } from "../paging/page-tokens.js";

const operation = MessagingDataService.method.listProjects.name;

export interface ListProjectsDependencies {
  readonly tokens: PageTokens;
  readonly isMirrored: IsMirrored;
}

export function listProjectsHandler({ tokens, isMirrored }: ListProjectsDependencies) {
  return async (
    request: ListProjectsRequest,
    { caller }: CallContext<EveryProjectCaller>,
  ): Promise<ListProjectsResponse> => {
    // A page token is valid for all callers. It only marks a position, and each caller lists only their own projects.
    const list = {
      operation,
      parent: "",
      read: async (after: string | undefined, limit: number) => caller.projectsAfter(after, limit),
      positionOf: ({ number }: Project) => number,
    };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListProjectsResponseSchema, {
      projects: items.map(({ id, number }) =>
        create(ProjectSchema, {
          name: `projects/${number}`,
          projectId: id,
          mirrored: isMirrored(number),
        }),
      ),
      nextPageToken,
    });
  };
}
