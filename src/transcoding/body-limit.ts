import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { authorization } from "../gen/waybill/auth/v1/authorization_pb.js";
import { MAX_APP_MESSAGE_BYTES } from "../limits/limits.js";

/** Returns the maximum request size of a method, in bytes: less for apps, which have no token. */
export const bodyLimitOf = (method: DescMethod, usual: number): number =>
  getOption(method, authorization).appCaller ? Math.min(MAX_APP_MESSAGE_BYTES, usual) : usual;
