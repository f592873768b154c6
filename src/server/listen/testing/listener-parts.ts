import { DEFAULT_DECODERS } from "../../../http/bodies/request-body.js";
import { OpenStreams } from "../../../rpc/open/open-streams.js";
import { FailureLog } from "../../operators/failure-log.js";
import type { ServerLogger } from "../../operators/logger.js";
import { Metrics } from "../../operators/metrics.js";

/** Dependencies of a test listener that is always ready, without TLS and without other origins. */
export const listenerParts = (logger: ServerLogger) => ({
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
