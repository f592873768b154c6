import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import type { ProjectCaller } from "../../api/caller.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { configSchema } from "../config/config-schema.js";
import { silentLogger } from "../operators/testing/silent-logger.js";
import { emulatedLists } from "./emulation.js";

const COMPUTED = "1";
const MIRRORED = "2";
const store = { readEntries: async () => [] };
const request = create(ListAndroidDeliveryDataRequestSchema, { parent: "projects/a/androidApps/b" });

const contextOf = (caller: ProjectCaller) => callContext(caller, { resource: resourceName(request.parent) });

const viewsOf = (messagingData: object) =>
  emulatedLists(store, (project) => project === MIRRORED, {
    config: configSchema.parse({ messagingData }),
    clock: systemClock,
    dayClock: new AdjustableClock(systemClock),
    logger: silentLogger,
  });

it("emulatedLists does not change lists of a mirrored project", () => {
  const viewOf = viewsOf({ emulation: { window: "7d", errors: 1 } });
  expect(viewOf?.(request, contextOf(projectCaller({ number: MIRRORED })))).toBeUndefined();
  expect(() => viewOf?.(request, contextOf(projectCaller({ number: COMPUTED })))).toThrow("Retry the call");
});

it("emulatedLists returns undefined without emulation in the config", () => {
  expect(viewsOf({})).toBeUndefined();
});

it("emulatedLists applies the quota to a project, across all callers", () => {
  const viewOf = viewsOf({ emulation: { requestsPerMinute: 1 } });
  viewOf?.(request, contextOf(projectCaller({ number: COMPUTED })));
  expect(() =>
    viewOf?.(request, contextOf(projectCaller({ number: COMPUTED }, "another@example.com"))),
  ).toThrow("More than 1 requests per minute");
});
