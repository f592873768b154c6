import {
  type AttestedKeyRef,
  deleteAttestedKeyCall,
  type ExchangeAssertionOptions,
  type ExchangeAttestationOptions,
  exchangeAssertionCall,
  exchangeAttestationCall,
  generateChallengeCall,
  getAttestedKeyCall,
  type ListAttestedKeysOptions,
  listAttestedKeysCall,
} from "../calls/app-attest-calls.js";
import type { CallOptions } from "../calls/call.js";
import {
  type CreateDebugTokenOptions,
  createDebugTokenCall,
  type DebugTokenRef,
  deleteDebugTokenCall,
  type ExchangeCustomTokenOptions,
  type ExchangeDebugTokenOptions,
  exchangeCustomTokenCall,
  exchangeDebugTokenCall,
  getDebugTokenCall,
  type ListAttestationFailuresOptions,
  type ListAttestationTokenCountsOptions,
  type ListDebugTokensOptions,
  listAttestationFailuresCall,
  listAttestationTokenCountsCall,
  listDebugTokensCall,
  type TokenAppRef,
  type UpdateDebugTokenOptions,
  updateDebugTokenCall,
  type VerifyAppCheckTokenOptions,
  verifyAppCheckTokenCall,
} from "../calls/token-calls.js";
import type {
  AppCheckTokenJson,
  AttestationFailureJson,
  AttestationTokenCountJson,
  AttestedKeyJson,
  DebugTokenJson,
  ExchangeAppAttestAttestationResponseJson,
  GenerateAppAttestChallengeResponseJson,
  ListAttestationFailuresResponseJson,
  ListAttestationTokenCountsResponseJson,
  ListAttestedKeysResponseJson,
  ListDebugTokensResponseJson,
  VerifyAppCheckTokenResponseJson,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { listCalls, type PagedList } from "../paged-list.js";
import type { Transport } from "../transport.js";

/**
 * Attestation and app tokens. Get it from a {@link WaybillClient} with an `integrityUrl`.
 *
 * @example
 * const client = new WaybillClient({ integrityUrl: "http://127.0.0.1:8080", token: "…" });
 * const { alreadyConsumed } = await client.attestation.verifyAppCheckToken({ project: "shop", appCheckToken: "…" });
 */
export class AttestationClient {
  readonly #transport: () => Transport;

  /** @param transport returns the service's transport. Throws a TypeError if the client has no address for it. */
  constructor(transport: () => Transport) {
    this.#transport = transport;
  }

  /**
   * Lists an app's debug tokens, without their secrets (`ListDebugTokens`).
   *
   * @throws WaybillError `NOT_FOUND` if the app is not registered.
   */
  listDebugTokens(request: ListDebugTokensOptions): PagedList<DebugTokenJson, ListDebugTokensResponseJson> {
    return listCalls(this.#transport, listDebugTokensCall, request, ({ debugTokens }) => debugTokens);
  }

  /**
   * Lists why devices were denied app tokens for an app in the last seven days, latest failure first
   * (`ListAttestationFailures`).
   *
   * @throws WaybillError `NOT_FOUND` if the app is not registered.
   */
  listAttestationFailures(
    request: ListAttestationFailuresOptions,
  ): PagedList<AttestationFailureJson, ListAttestationFailuresResponseJson> {
    return listCalls(
      this.#transport,
      listAttestationFailuresCall,
      request,
      ({ attestationFailures }) => attestationFailures,
    );
  }

  /**
   * Lists an app's numbers of issued, rejected and reused app tokens by UTC day and provider, latest day first
   * (`ListAttestationTokenCounts`).
   *
   * @throws WaybillError `NOT_FOUND` if the app is not registered.
   */
  listAttestationTokenCounts(
    request: ListAttestationTokenCountsOptions,
  ): PagedList<AttestationTokenCountJson, ListAttestationTokenCountsResponseJson> {
    return listCalls(
      this.#transport,
      listAttestationTokenCountsCall,
      request,
      ({ attestationTokenCounts }) => attestationTokenCounts,
    );
  }

  /**
   * Returns a debug token, without its secret (`GetDebugToken`).
   *
   * @throws WaybillError `NOT_FOUND` if the app has no such token.
   */
  async getDebugToken(request: DebugTokenRef & CallOptions): Promise<DebugTokenJson> {
    return this.#transport().call(getDebugTokenCall(request), request);
  }

  /**
   * Creates a debug token (`CreateDebugToken`). The server never returns its secret.
   *
   * @throws WaybillError `FAILED_PRECONDITION` if the app has 20 debug tokens, or one with this secret. `NOT_FOUND` if
   *   the app is not registered.
   * @example
   * const token = crypto.randomUUID();
   * await client.attestation.createDebugToken({ project: "shop", app: "1:5:ios:aa", displayName: "CI", token });
   */
  async createDebugToken(request: CreateDebugTokenOptions): Promise<DebugTokenJson> {
    return this.#transport().call(createDebugTokenCall(request), request);
  }

  /** Renames a debug token (`UpdateDebugToken`). @throws WaybillError `NOT_FOUND` if the app has no such token. */
  async updateDebugToken(request: UpdateDebugTokenOptions): Promise<DebugTokenJson> {
    return this.#transport().call(updateDebugTokenCall(request), request);
  }

  /** Lists the keys that an app's devices have attested (`ListAttestedKeys`). */
  listAttestedKeys(
    request: ListAttestedKeysOptions,
  ): PagedList<AttestedKeyJson, ListAttestedKeysResponseJson> {
    return listCalls(this.#transport, listAttestedKeysCall, request, ({ attestedKeys }) => attestedKeys);
  }

  /** Returns an attested key (`GetAttestedKey`). @throws WaybillError `NOT_FOUND` if the app has no such key. */
  async getAttestedKey(request: AttestedKeyRef & CallOptions): Promise<AttestedKeyJson> {
    return this.#transport().call(getAttestedKeyCall(request), request);
  }

  /** Revokes an attested key (`DeleteAttestedKey`). @throws WaybillError `NOT_FOUND` if the app has no such key. */
  async deleteAttestedKey(request: AttestedKeyRef & CallOptions): Promise<void> {
    await this.#transport().call(deleteAttestedKeyCall(request), request);
  }

  /** Returns a challenge for an attestation or assertion (`GenerateAppAttestChallenge`). */
  async generateAppAttestChallenge(
    request: TokenAppRef & CallOptions,
  ): Promise<GenerateAppAttestChallengeResponseJson> {
    return this.#transport().call(generateChallengeCall(request), request);
  }

  /**
   * Exchanges an App Attest attestation for an app token (`ExchangeAppAttestAttestation`).
   *
   * @throws WaybillError `PERMISSION_DENIED` if the attestation is not valid.
   */
  async exchangeAppAttestAttestation(
    request: ExchangeAttestationOptions,
  ): Promise<ExchangeAppAttestAttestationResponseJson> {
    return this.#transport().call(exchangeAttestationCall(request), request);
  }

  /**
   * Exchanges an App Attest assertion for an app token (`ExchangeAppAttestAssertion`).
   *
   * @throws WaybillError `PERMISSION_DENIED` if the assertion is not valid.
   */
  async exchangeAppAttestAssertion(request: ExchangeAssertionOptions): Promise<AppCheckTokenJson> {
    return this.#transport().call(exchangeAssertionCall(request), request);
  }

  /** Deletes a debug token (`DeleteDebugToken`). @throws WaybillError `NOT_FOUND` if the app has no such token. */
  async deleteDebugToken(request: DebugTokenRef & CallOptions): Promise<void> {
    await this.#transport().call(deleteDebugTokenCall(request), request);
  }

  /**
   * Exchanges a debug token for an app token (`ExchangeDebugToken`).
   *
   * @throws WaybillError `PERMISSION_DENIED` if the app has no such debug token. `NOT_FOUND` if the app is not
   * registered.
   */
  async exchangeDebugToken(request: ExchangeDebugTokenOptions): Promise<AppCheckTokenJson> {
    return this.#transport().call(exchangeDebugTokenCall(request), request);
  }

  /**
   * Exchanges a custom token for an app token (`ExchangeCustomToken`).
   *
   * @throws WaybillError `PERMISSION_DENIED` if the custom token is not valid. `NOT_FOUND` if the app is not
   * registered.
   */
  async exchangeCustomToken(request: ExchangeCustomTokenOptions): Promise<AppCheckTokenJson> {
    return this.#transport().call(exchangeCustomTokenCall(request), request);
  }

  /**
   * Consumes an app token (`VerifyAppCheckToken`). Returns `alreadyConsumed: true` if an earlier call has consumed it.
   *
   * @throws WaybillError `PERMISSION_DENIED` if the token is not valid for the project.
   */
  async verifyAppCheckToken(request: VerifyAppCheckTokenOptions): Promise<VerifyAppCheckTokenResponseJson> {
    return this.#transport().call(verifyAppCheckTokenCall(request), request);
  }
}
