import { type DescMethod, getOption } from "@bufbuild/protobuf";
import {
  authorization,
  max_request_bytes as maxRequestBytes,
} from "../gen/waybill/auth/v1/authorization_pb.js";
import { MAX_APP_MESSAGE_BYTES } from "../limits/request-limits.js";

/** Returns the maximum request size of a method, in bytes: less for some services, and for apps, which have no token. */
export function bodyLimitOf(method: DescMethod, usual: number): number {
  const ofService = getOption(method.parent, maxRequestBytes);
  const limit = ofService === 0 ? usual : Math.min(ofService, usual);
  return getOption(method, authorization).appCaller ? Math.min(MAX_APP_MESSAGE_BYTES, limit) : limit;
}
