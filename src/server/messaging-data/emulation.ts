import { RateLimiter } from "../../auth/rate-limiter.js";
import type { ListDependencies } from "../../messaging-data/delivery-data/list-handler.js";
import { rejectExtensions, TransientErrors } from "../../messaging-data/emulation/emulated-errors.js";
import { EmulatedDays, EmulatedLists } from "../../messaging-data/emulation/emulated-lists.js";
import type { IsMirrored } from "../../model/names.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { ServerParts } from "../server-parts.js";

/** Log message. It warns that delivery data lists differ from the counts. */
const EMULATES = "delivery data lists emulate FCM: they are late, incomplete and rounded as configured";

/**
 * Returns views that delay and change delivery data lists. Returns `undefined` without emulation. Mirrored projects are
 * listed unchanged.
 */
export function emulatedLists(
  store: Pick<DeliveryDataStore, "readEntries">,
  isMirrored: IsMirrored,
  { config, clock, dayClock, logger }: Pick<ServerParts, "config" | "clock" | "dayClock" | "logger">,
): ListDependencies["viewOf"] {
  const { emulation, settleDelay } = config.messagingData;
  if (emulation === undefined) return undefined;
  logger.warn({ emulation }, EMULATES);
  const { requestsPerMinute } = emulation;
  const quota = requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute, clock);
  const errors = new TransientErrors(emulation);
  const lists = new EmulatedLists(store, emulation, new EmulatedDays(emulation, settleDelay));
  return (request, { caller: { project }, resource }) => {
    if (isMirrored(project.number)) return undefined;
    // FCM's quota is per project, and counts the calls of all callers together.
    quota?.take(project.number);
    errors.begin();
    if (!emulation.extensions) rejectExtensions(request, resource.idIn("androidApps"));
    return lists.at(dayClock.wall());
  };
}
