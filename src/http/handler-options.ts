import type { Authorize, ServiceImplementation } from "../api/service.js";
import type { AnswerShares } from "./answers/answer-shares.js";
import type { Outcome } from "./outcome.js";

/** Options of handlers of all protocols. `A` is the result of the authorization of a call. */
export interface HandlerOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every error (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Returns the key by which quotas and budgets of a caller are kept. */
  readonly budgetKeyOf: (caller: A) => string;
  readonly shares: AnswerShares;
  /** Creates the id of a request, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each request, right after the handover of its response. It must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}
