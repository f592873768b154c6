export type {
  AttestedKeyRef,
  ExchangeAssertionOptions,
  ExchangeAttestationOptions,
  ListAttestedKeysOptions,
} from "./calls/app-attest-calls.js";
export type {
  AppConfigsByPlatform,
  AppPlatform,
  AppsByPlatform,
  CreateAppOptions,
  ListRegisteredAppsOptions,
  RegisteredAppRef,
  RemoveAppOptions,
  SearchAppsOptions,
  UndeleteAppOptions,
  UpdateAppOptions,
} from "./calls/app-calls.js";
export type { CallOptions } from "./calls/call.js";
export type { ChangeIncidentOptions, IncidentRef, UpdateIncidentOptions } from "./calls/incident-calls.js";
export type {
  BatchGetAppAttestConfigsOptions,
  ListAppsOptions,
  UpdateAppAttestConfigOptions,
} from "./calls/integrity-calls.js";
export type {
  AggregateDeliveryDataOptions,
  DeliveryDataDimension,
  ListAndroidAppsOptions,
  ListDeliveryDataOptions,
  ListIncidentsOptions,
  ListMirrorGapsOptions,
  ListProjectsOptions,
} from "./calls/messaging-data-calls.js";
export type {
  CreateProjectOptions,
  ListAuditEntriesOptions,
  ListRegistryProjectsOptions,
  ProjectRef,
  SetIamPolicyOptions,
  TestIamPermissionsOptions,
  UpdateProjectOptions,
} from "./calls/registry-calls.js";
export type {
  CreateResourceOptions,
  DeleteResourceOptions,
  ListResourcesOptions,
  ResourceCollection,
  ResourceRef,
  UpdateResourceOptions,
} from "./calls/resource-calls.js";
export { type AndroidAppRef, type AppAttestConfigRef, appAttestConfigName } from "./calls/resource-names.js";
export type {
  CreateDebugTokenOptions,
  DebugTokenRef,
  ExchangeCustomTokenOptions,
  ExchangeDebugTokenOptions,
  ListAttestationFailuresOptions,
  ListAttestationTokenCountsOptions,
  ListDebugTokensOptions,
  TokenAppRef,
  UpdateDebugTokenOptions,
  VerifyAppCheckTokenOptions,
} from "./calls/token-calls.js";
export type { CanonicalCode } from "./canonical-code.js";
export type { WaybillClientOptions } from "./client-options.js";
export type {
  AppAttestConfigJson,
  AppCheckTokenJson,
  AppJson,
  AttestationFailureJson,
  AttestationTokenCountJson,
  AttestedKeyJson,
  DebugTokenJson,
  ExchangeAppAttestAttestationResponseJson,
  GenerateAppAttestChallengeResponseJson,
  ListAppsResponseJson,
  ListAttestationFailuresResponseJson,
  ListAttestationTokenCountsResponseJson,
  ListAttestedKeysResponseJson,
  ListDebugTokensResponseJson,
  UpdateAppAttestConfigRequestJson,
  VerifyAppCheckTokenResponseJson,
} from "./gen/waybill/integrity/v1/integrity_pb.js";
export type {
  Annotation_KindJson as AnnotationKindJson,
  AnnotationJson,
} from "./gen/waybill/messagingdata/v1beta1/annotation_pb.js";
export type {
  AndroidDeliveryDataJson,
  DeliveryCountsJson,
} from "./gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
export type {
  AndroidIncidentJson,
  WebhookDeliveryJson,
} from "./gen/waybill/messagingdata/v1beta1/incident_pb.js";
export type {
  AndroidAppJson,
  DeliveryDataGroupJson,
  ListAndroidAppsResponseJson,
  ListAndroidDeliveryDataResponseJson,
  ListAndroidIncidentsResponseJson,
  ListAndroidMirrorGapsResponseJson,
  ListProjectsResponseJson,
  ProjectJson,
} from "./gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
export type { AndroidMirrorGapJson } from "./gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
export type {
  Target_StateJson as TargetStateJson,
  TargetJson,
} from "./gen/waybill/messagingdata/v1beta1/target_pb.js";
export type { ShareViewResponseJson, ViewJson } from "./gen/waybill/messagingdata/v1beta1/view_pb.js";
export type {
  AndroidAppJson as RegisteredAndroidAppJson,
  AppConfigFileJson,
  AuditEntryJson,
  BindingJson,
  CloudProjectJson,
  FieldChangeJson,
  FirebaseAppInfoJson,
  IosAppJson,
  OperationJson,
  PolicyJson,
  ProjectJson as RegistryProjectJson,
  WebAppConfigJson,
  WebAppJson,
} from "./gen/waybill/registry/v1/registry_pb.js";
export type { EventSource, ImportEventsOptions, ImportProgress } from "./import/event-import.js";
export { type InvalidLine, type LineViolation, lineViolation } from "./import/line-violation.js";
export type { ListPage, PagedList } from "./paged-list.js";
export type { RetryOptions } from "./retrying.js";
export type { AttestationClient } from "./services/attestation-client.js";
export type { IncidentsClient } from "./services/incidents-client.js";
export type { AppPage, AuditEntryList, RegistryClient } from "./services/registry-client.js";
export type { ResourceClient, ResourcePage } from "./services/resource-client.js";
export type { ViewsClient } from "./services/views-client.js";
export type { Token } from "./token-source.js";
export {
  type DeliveryDataList,
  type IncidentList,
  type MirrorGapList,
  WaybillClient,
} from "./waybill-client.js";
export { type FieldViolation, WaybillError } from "./waybill-error.js";
