import { PROJECT, REGISTERED_APP } from "../waybill-server.js";

/** Number of concurrent exchanges, each on its own connection. */
export const CONCURRENT_EXCHANGES = 16;

export const DEVICES_APP = `projects/${PROJECT}/apps/${REGISTERED_APP}`;

export interface ExchangeSpeed {
  readonly perSecond: number;
  /** Processor time of the server for an exchange, in milliseconds. */
  readonly processorMs: number;
}
