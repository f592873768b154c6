export type {
  AppAttestConfigJson,
  UpdateAppAttestConfigRequestJson,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
export type { AndroidDeliveryDataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
export type { ListAndroidDeliveryDataResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
export type { CanonicalCode } from "./canonical-code.js";
export type { DeliveryDataList } from "./delivery-data-list.js";
export type { EventSource, ImportProgress } from "./event-import.js";
export { type AndroidAppRef, type AppAttestConfigRef, appAttestConfigName } from "./resource-names.js";
export type { RetryOptions } from "./retrying.js";
export type { Token } from "./token-source.js";
export {
  type BatchGetAppAttestConfigsOptions,
  type CallOptions,
  type ImportEventsOptions,
  type ListDeliveryDataOptions,
  type UpdateAppAttestConfigOptions,
  WaybillClient,
  type WaybillClientOptions,
} from "./waybill-client.js";
export { type FieldViolation, WaybillError } from "./waybill-error.js";
