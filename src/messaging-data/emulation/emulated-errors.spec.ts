import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { ListAndroidDeliveryDataRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { rejectExtensions, TransientErrors } from "./emulated-errors.js";

/** Returns the HTTP statuses of the next calls; 200 for calls that continue. */
const statusesOf = (errors: TransientErrors, calls: number): number[] =>
  Array.from({ length: calls }, () => {
    try {
      errors.begin();
      return 200;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "EMULATED_ERROR") throw error;
      return error.httpStatus;
    }
  });

describe("emulated transient errors", () => {
  it("let about the configured share of calls fail with 500 and 503", () => {
    const statuses = statusesOf(new TransientErrors({ seed: "a", errors: 0.2 }), 1_000);
    const failed = statuses.filter((status) => status !== 200);
    expect(failed.length).toBeGreaterThan(130);
    expect(failed.length).toBeLessThan(270);
    expect(new Set(failed)).toEqual(new Set([500, 503]));
  });

  it("are the same for the same seed, and different for another seed", () => {
    const ofSeed = (seed: string) => statusesOf(new TransientErrors({ seed, errors: 0.5 }), 50);
    expect(ofSeed("a")).toEqual(ofSeed("a"));
    expect(ofSeed("a")).not.toEqual(ofSeed("b"));
  });

  it.each([
    [0, 0],
    [1, 100],
  ])("with the share %i let %i of 100 calls fail", (errors, failed) => {
    const statuses = statusesOf(new TransientErrors({ seed: "a", errors }), 100);
    expect(statuses.filter((status) => status !== 200)).toHaveLength(failed);
  });
});

const APP = "1:1:android:a";

describe("rejectExtensions", () => {
  it.each([
    ["a filter", "filter", { filter: "date:*" }, APP],
    ["a past state", "asOf", { asOf: timestampFromMs(0) }, APP],
    ["all apps", "parent", {}, "-"],
  ])("rejects requests with %s", (_, field, extension, appId) => {
    const request = create(ListAndroidDeliveryDataRequestSchema, extension);
    expect(() => rejectExtensions(request, appId)).toThrow(
      expect.objectContaining({
        reason: "EXTENSION_NOT_ALLOWED",
        violations: [expect.objectContaining({ field })],
      }),
    );
  });

  it("accepts a request for a page of one app", () => {
    const request = create(ListAndroidDeliveryDataRequestSchema, { pageSize: 10, pageToken: "t" });
    expect(() => rejectExtensions(request, APP)).not.toThrow();
  });
});
