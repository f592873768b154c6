import type {
  AttestedKeyJson,
  ExchangeAppAttestAssertionRequestJson,
  ExchangeAppAttestAttestationRequestJson,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type Call, type CallOptions, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";
import { appPath, type TokenAppRef } from "./token-calls.js";

/** Request to list an app's attested keys. */
export interface ListAttestedKeysOptions extends TokenAppRef, CallOptions {
  /** Maximum number of keys per page. */
  readonly pageSize?: number | undefined;
}

/** Attested key, identified by its name `projects/{project}/apps/{app}/attestedKeys/{id}`. */
export type AttestedKeyRef = Required<Pick<AttestedKeyJson, "name">>;

/** Request to exchange an attestation. Byte fields are encoded as base64. */
export type ExchangeAttestationOptions = TokenAppRef &
  Omit<ExchangeAppAttestAttestationRequestJson, "app"> &
  CallOptions;

/** Request to exchange an assertion. Byte fields are encoded as base64. */
export type ExchangeAssertionOptions = TokenAppRef &
  Omit<ExchangeAppAttestAssertionRequestJson, "app"> &
  CallOptions;

export const generateChallengeCall = (app: TokenAppRef): Call =>
  post(`${appPath(app)}:generateAppAttestChallenge`, {}, false);

export function exchangeAttestationCall(request: ExchangeAttestationOptions): Call {
  const { attestationStatement, challenge, keyId, limitedUse } = request;
  const body = { attestationStatement, challenge, keyId, limitedUse };
  return post(`${appPath(request)}:exchangeAppAttestAttestation`, body, false);
}

export function exchangeAssertionCall(request: ExchangeAssertionOptions): Call {
  const { artifact, assertion, challenge, limitedUse } = request;
  const body = { artifact, assertion, challenge, limitedUse };
  return post(`${appPath(request)}:exchangeAppAttestAssertion`, body, false);
}

export function listAttestedKeysCall(request: ListAttestedKeysOptions, pageToken?: string): Call {
  const { pageSize } = request;
  return read(`${appPath(request)}/attestedKeys`, { pageSize, pageToken });
}

export const getAttestedKeyCall = ({ name }: AttestedKeyRef): Call => read(attestedKeyPath(name), {});

export const deleteAttestedKeyCall = ({ name }: AttestedKeyRef): Call => ({
  httpMethod: "DELETE",
  path: attestedKeyPath(name),
  repeatable: false,
});

const attestedKeyPath = (name: string): string => `v1/${pathOf(name, "projects/*/apps/*/attestedKeys/*")}`;
