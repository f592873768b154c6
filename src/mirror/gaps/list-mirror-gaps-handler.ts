import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import {
  type ListAndroidMirrorGapsRequest,
  type ListAndroidMirrorGapsResponse,
  ListAndroidMirrorGapsResponseSchema,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import {
  type AndroidMirrorGap,
  AndroidMirrorGapSchema,
} from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { civilDate, type Day } from "../../model/day.js";
import { ALL_APPS, isAppId } from "../../model/names.js";
import { readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { type MirrorGap, type MirrorGaps, readPlace, writePlace } from "./mirror-gap.js";

const operation = MessagingDataService.method.listAndroidMirrorGaps.name;

export interface ListMirrorGapsDependencies {
  readonly gaps: MirrorGaps;
  readonly tokens: PageTokens;
}

export function listMirrorGapsHandler({ gaps, tokens }: ListMirrorGapsDependencies) {
  return async (
    request: ListAndroidMirrorGapsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAndroidMirrorGapsResponse> => {
    const project = context.caller.project.number;
    const appId = context.resource.idIn("androidApps");
    const read = async (position: string | undefined, limit: number): Promise<readonly MirrorGap[]> => {
      if (!isAppId(appId)) return [];
      await context.waitForSlot();
      const selection = {
        appId: appId === ALL_APPS ? undefined : appId,
        after: position === undefined ? undefined : readPlace(position),
      };
      const found: MirrorGap[] = [];
      for await (const ofApp of gaps.read(project, selection)) {
        context.signal.throwIfAborted();
        found.push(...ofApp);
        if (found.length >= limit) break;
      }
      return found;
    };
    const parent = `projects/${project}/androidApps/${appId}`;
    const list = { operation, parent, read, positionOf: writePlace };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAndroidMirrorGapsResponseSchema, { gaps: items.map(gapMessage), nextPageToken });
  };
}

const gapMessage = ({ appId, kind, day, expireDay, since, problem = "" }: MirrorGap): AndroidMirrorGap =>
  create(AndroidMirrorGapSchema, {
    appId,
    kind,
    ...(day !== undefined && { date: dateMessage(day) }),
    ...(expireDay !== undefined && { expireDate: dateMessage(expireDay) }),
    startTime: timestampFromMs(since),
    problem,
  });

const dateMessage = (day: Day) => create(DateSchema, civilDate(day));
