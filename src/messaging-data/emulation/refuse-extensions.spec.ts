import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { refuseExtensions } from "./refuse-extensions.js";

const parent = "projects/p/androidApps/1:1:android:a";

describe("a call that an original must understand", () => {
  it.each([
    ["a filter", "filter", { filter: "date:*" }],
    ["a past state", "asOf", { asOf: timestampFromMs(0) }],
    ["all apps", "parent", { parent: "projects/p/androidApps/-" }],
  ])("may not ask for %s", (_, field, extension) => {
    const request = create(ListAndroidDeliveryDataRequestSchema, { parent, ...extension });
    expect(() => refuseExtensions(request)).toThrow(
      expect.objectContaining({
        reason: "EXTENSION_NOT_ALLOWED",
        violations: [expect.objectContaining({ field })],
      }),
    );
  });

  it("may ask for a page of an app", () => {
    const request = create(ListAndroidDeliveryDataRequestSchema, { parent, pageSize: 10, pageToken: "t" });
    expect(() => refuseExtensions(request)).not.toThrow();
  });
});
