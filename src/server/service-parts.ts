import type { Logger } from "pino";
import type { Clock } from "../model/clock.js";
import type { PageTokens } from "../paging/page-tokens.js";
import type { Metrics } from "./operators/metrics.js";

/** Parts of a process that its services share. */
export interface ServiceParts {
  readonly tokens: PageTokens;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
}
