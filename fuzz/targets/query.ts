import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type DescMessage, fromJson } from "@bufbuild/protobuf";
import { ApiError } from "../../src/api/api-error.js";
import {
  AggregateAndroidDeliveryDataRequestSchema,
  ListAndroidDeliveryDataRequestSchema,
} from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { ParameterBinder } from "../../src/transcoding/binding/parameter-binder.js";
import { parsePathTemplate } from "../../src/transcoding/path-template.js";
import { SearchBooksRequestSchema } from "../../src/transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { expectedListParameters } from "../oracles/list-parameters.js";
import { outcomeOf } from "../oracles/rejection.js";

const { variables } = parsePathTemplate("/v1beta1/{parent=projects/*/androidApps/*}/deliveryData");
const CAPTURES = new Map([["parent", "projects/p/androidApps/a%2Fb"]]);
const list = new ParameterBinder(ListAndroidDeliveryDataRequestSchema, variables, undefined);
const others: readonly (readonly [DescMessage, ParameterBinder])[] = [
  [
    AggregateAndroidDeliveryDataRequestSchema,
    new ParameterBinder(AggregateAndroidDeliveryDataRequestSchema, variables, undefined),
  ],
  [SearchBooksRequestSchema, new ParameterBinder(SearchBooksRequestSchema, [], undefined)],
];

const SEARCH_NAMES = SearchBooksRequestSchema.fields.flatMap(({ name, jsonName }) => [name, jsonName]);

/**
 * A query is bound as the decisions define, and forms a valid request; otherwise every wrong parameter is
 * named.
 */
export const query: FuzzTarget = {
  name: "query",
  boundedInputs: 8_000,
  seeds: [
    "pageSize=10&page_token=abc&filter=date+%3E%3D+2026-03-01",
    "pageSize=&pageSize=1&page_size=2",
    "page_size=%2B02&alt=json&prettyPrint=true&fields=nextPageToken&key=k&quotaUser=&$.xgafv=2",
    "%24.xgafv=1&%24fields=a&fields=b&callback=f&access_token=t&x=y&=z&&",
    "pageSize=2147483648&pageToken=%FF&filter=%zz",
    "groupBy=DATE&groupBy=2&group_by=x",
    "asOf=2026-11-14T08:00:00.5-08:00&as_of=2026-11-14T08:00:00Z",
    "as_of=0000-12-31T24:00:00Z&pageSize=1",
    ...SEARCH_NAMES.map((name) => `${name}=1&${name}.x=true`),
  ],
  words: [
    ...["pageSize", "page_size", "pageToken", "page_token", "filter", "asOf", "as_of", "parent"],
    ...["groupBy", "fields", "$fields", "%24fields"],
    ...["alt", "json", "prettyPrint", "true", "false", "key", "quotaUser", "uploadType"],
    ...["upload_protocol", "$.xgafv"],
    ...["callback", "access_token", "oauth_token", "=", "&", "?", "#", "+", "%20", "%2B", "-", ".", "e1"],
    ...["1.0", "0x1"],
    ...["3.5s", "2026-01-31T12:00:00Z", "AQ==", "NaN", "Infinity", "author.displayName", ...SEARCH_NAMES],
  ],
  run(input) {
    const text = input.toString("latin1").replace(/[^!-~\x80-\xff]/g, "");
    const bound = outcomeOf(() => list.bind(list.bindPath(CAPTURES), text));
    const expected = expectedListParameters(text);
    if (expected === undefined) {
      ok(bound instanceof ApiError, "bound what is wrong");
      strictEqual(bound.httpStatus, 400);
      ok(bound.violations.length > 0, "no violation");
    } else {
      ok(
        !(bound instanceof ApiError),
        `rejected a valid query: ${bound instanceof ApiError && bound.message}`,
      );
      const { request, system } = bound;
      deepStrictEqual(
        { ...expected.request },
        { ...request, ...("pageSize" in request && { pageSize: Number(request.pageSize) }) },
      );
      deepStrictEqual({ ...system }, expected.system);
      fromJson(ListAndroidDeliveryDataRequestSchema, request);
    }
    for (const [schema, binder] of others) {
      const parameters = outcomeOf(() => binder.bind(binder.bindPath(CAPTURES), text));
      if (!(parameters instanceof ApiError)) fromJson(schema, parameters.request);
    }
  },
};
