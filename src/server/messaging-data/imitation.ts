import { RateLimiter } from "../../auth/rate-limiter.js";
import type { ListDependencies } from "../../messaging-data/delivery-data/list-handler.js";
import { ImitatedDays } from "../../messaging-data/imitation/imitated-days.js";
import { ImitatedLists } from "../../messaging-data/imitation/imitated-lists.js";
import { refuseExtensions } from "../../messaging-data/imitation/refuse-extensions.js";
import { TransientErrors } from "../../messaging-data/imitation/transient-errors.js";
import type { IsMirrored } from "../../model/project.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { ServerParts } from "../server-parts.js";

/** Says that lists are not what was counted. */
const IMITATES =
  "lists of delivery data imitate the original: they are late, incomplete and rounded as configured";

/**
 * Returns what lists show if the server imitates the original; `undefined` otherwise. Mirrored projects are listed as
 * they were fetched.
 */
export function imitatedLists(
  store: Pick<DeliveryDataStore, "readEntries">,
  isMirrored: IsMirrored,
  { config, clock, dayClock, logger }: Pick<ServerParts, "config" | "clock" | "dayClock" | "logger">,
): ListDependencies["viewOf"] {
  const { imitate: imitation, settleDelay } = config.messagingData;
  if (imitation === undefined) return undefined;
  logger.warn({ imitation }, IMITATES);
  const { requestsPerMinute } = imitation;
  const quota = requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute, clock);
  const errors = new TransientErrors(imitation);
  const lists = new ImitatedLists(store, imitation, new ImitatedDays(imitation, settleDelay));
  return (request, { project }) => {
    if (isMirrored(project.number)) return undefined;
    // The original counts the calls of a project, whoever sends them.
    quota?.take(project.number);
    errors.begin();
    if (!imitation.extensions) refuseExtensions(request);
    return lists.at(dayClock.wall());
  };
}
