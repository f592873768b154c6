import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { refuseExtensions } from "./refuse-extensions.js";

const APP = "1:1:android:a";

describe("a call that an original must understand", () => {
  it.each([
    ["a filter", "filter", { filter: "date:*" }, APP],
    ["a past state", "asOf", { asOf: timestampFromMs(0) }, APP],
    ["all apps", "parent", {}, "-"],
  ])("may not ask for %s", (_, field, extension, appId) => {
    const request = create(ListAndroidDeliveryDataRequestSchema, extension);
    expect(() => refuseExtensions(request, appId)).toThrow(
      expect.objectContaining({
        reason: "EXTENSION_NOT_ALLOWED",
        violations: [expect.objectContaining({ field })],
      }),
    );
  });

  it("may ask for a page of an app", () => {
    const request = create(ListAndroidDeliveryDataRequestSchema, { pageSize: 10, pageToken: "t" });
    expect(() => refuseExtensions(request, APP)).not.toThrow();
  });
});
