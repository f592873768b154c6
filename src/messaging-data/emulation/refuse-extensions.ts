import { ApiError } from "../../api/api-error.js";
import type { ListAndroidDeliveryDataRequest } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { ALL_APPS } from "../../model/names.js";

/** Refuses what the original does not have. @throws ApiError `EXTENSION_NOT_ALLOWED` */
export function refuseExtensions({ filter, asOf }: ListAndroidDeliveryDataRequest, appId: string): void {
  if (filter !== "") throw refused("filter", "the original, which this server emulates, has no filter");
  if (asOf !== undefined)
    throw refused("asOf", "the original, which this server emulates, has only the present");
  if (appId === ALL_APPS) {
    throw refused("parent", "the original, which this server emulates, lists one app at a time");
  }
}

const refused = (field: string, description: string): ApiError =>
  ApiError.invalidArgument("EXTENSION_NOT_ALLOWED", field, description);
