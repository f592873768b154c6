import type { Logger } from "pino";
import { DEFAULT_DECODERS } from "../../../http/bodies/request-body.js";
import { OpenStreams } from "../../../rpc/open/open-streams.js";
import { FailureLog } from "../../operators/failure-log.js";
import { Metrics } from "../../operators/metrics.js";

/** Dependencies of a test listener that is always ready, without TLS and without other origins. */
export const listenerParts = (logger: Logger) => ({
  decoders: DEFAULT_DECODERS,
  corsOrigins: new Set<string>(),
  tls: undefined,
  connectionBounds: {},
  ready: async () => {},
  openStreams: new OpenStreams(),
  metrics: new Metrics(),
  logger,
  failures: new FailureLog(logger),
});
