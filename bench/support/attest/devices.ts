import { PROJECT, REGISTERED_APP } from "../waybill-server.js";

/** Number of exchanges at the same time, each on a connection of its own. */
export const CONCURRENT_EXCHANGES = 16;

/** Name of the devices' app. */
export const DEVICES_APP = `projects/${PROJECT}/apps/${REGISTERED_APP}`;
