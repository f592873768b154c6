import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { ApiError } from "../../src/api/api-error.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { parseFieldSelection, selectFields } from "../../src/transcoding/partial/field-selection.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { expectedPaths } from "../oracles/field-paths.js";
import { outcomeOf } from "../oracles/rejection.js";

const RESPONSE: JsonObject = {
  androidDeliveryData: [
    {
      appId: "a",
      date: { year: 2026, month: 3, day: 8 },
      analyticsLabel: "spring",
      data: { countMessagesAccepted: "10", messageOutcomePercents: { delivered: 90, pending: 10 } },
    },
    { appId: "b", date: { year: 2026, month: 3, day: 7 } },
  ],
  nextPageToken: "more",
};

/** A selection is rejected with its error's position, or leaves exactly the fields that its paths select. */
export const fieldSelection: FuzzTarget = {
  name: "field-selection",
  boundedInputs: 8_000,
  seeds: [
    "nextPageToken,androidDeliveryData(appId,date/year,data.messageOutcomePercents(delivered,pending))",
    "*",
    "*/*/*,nextPageToken",
    "android_delivery_data(*),android_delivery_data/data/count_messages_accepted",
    "androidDeliveryData(data(messageOutcomePercents(*)),date)",
    "androidDeliveryData(date),androidDeliveryData",
    "androidDeliveryData(((",
    "appId",
    `${"*/".repeat(40)}*`,
  ],
  words: [
    ...["androidDeliveryData", "android_delivery_data", "nextPageToken", "next_page_token", "appId"],
    ...["date", "year", "month"],
    ...["data", "countMessagesAccepted", "messageOutcomePercents", "delivered", "pending"],
    ...["analyticsLabel"],
    ...["(", ")", ",", "/", ".", "*", "*/", "(*)", " "],
  ],
  run(input) {
    const text = input.toString();
    const selection = outcomeOf(() => parseFieldSelection(text, ListAndroidDeliveryDataResponseSchema));
    if (selection instanceof ApiError) {
      strictEqual(selection.reason, "INVALID_FIELD_SELECTION");
      return;
    }
    const selected = selectFields(RESPONSE, selection);
    const paths = expectedPaths(text);
    deepStrictEqual(selected, leave(RESPONSE, paths), text);
    deepStrictEqual(selectFields(selected, selection), selected, "selecting twice differs");
  },
};

/** Selects the paths; within lists, from each item. */
function leave(json: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const left: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    const below = paths
      .filter(([first]) => first === "*" || camelCase(first ?? "") === name)
      .map((path) => path.slice(1));
    if (below.some((path) => path.length === 0)) left[name] = value;
    else if (below.length > 0) {
      const part = leaveBelow(value, below);
      if (part !== undefined) left[name] = part;
    }
  }
  return left;
}

function leaveBelow(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => leaveBelow(item, paths)).filter((item) => item !== undefined);
  }
  return typeof value === "object" && value !== null ? leave(value, paths) : undefined;
}

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
