import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import type { ListAndroidDeliveryDataRequest } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { ALL_APPS } from "../../model/names.js";
import { Draws } from "../draws.js";
import type { Emulation } from "./emulation.js";

/** Emulates transient errors. After each start of the server, the same calls fail. */
export class TransientErrors {
  readonly #seed: string;
  readonly #share: number;
  #calls = 0;

  /** @param settings `errors` is the share of calls that fail, from 0 to 1. */
  constructor({ seed, errors }: Pick<Emulation, "seed" | "errors">) {
    this.#seed = seed;
    this.#share = errors;
  }

  /** Begins a call. @throws ApiError `EMULATED_ERROR` with status 500 or 503 if the call must fail. */
  begin(): void {
    const draws = new Draws(this.#seed, "call", this.#calls++);
    if (draws.fraction() >= this.#share) return;
    const isInternal = draws.fraction() < 0.5;
    throw new ApiError({
      code: isInternal ? Code.INTERNAL : Code.UNAVAILABLE,
      reason: "EMULATED_ERROR",
      message: "An emulated transient error of FCM. Retry the call.",
      ...(!isInternal && { headers: { "retry-after": "1" } }),
    });
  }
}

/**
 * Rejects request parameters that FCM does not have.
 *
 * @throws ApiError `EXTENSION_NOT_ALLOWED` if the request has any.
 */
export function rejectExtensions({ filter, asOf }: ListAndroidDeliveryDataRequest, appId: string): void {
  if (filter !== "") throw notAllowed("filter", "FCM, which this server emulates, has no filter: omit it");
  if (asOf !== undefined)
    throw notAllowed("asOf", "FCM, which this server emulates, lists only current data: omit asOf");
  if (appId === ALL_APPS) {
    throw notAllowed("parent", "FCM, which this server emulates, lists one app at a time: name an app");
  }
}

const notAllowed = (field: string, description: string): ApiError =>
  ApiError.invalidArgument("EXTENSION_NOT_ALLOWED", field, description);
