import { createContext, use } from "react";
import type { WaybillApi } from "../api/waybill-api.js";
import type { ConsoleConfig } from "./console-config.js";

/** What every part of the page may need. */
export interface Services {
  readonly config: ConsoleConfig;
  readonly api: WaybillApi;
}

/** Is there once somebody has signed in. */
export const ServicesContext = createContext<Services | undefined>(undefined);

/** The services of the viewer who is signed in. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error("nobody is signed in");
  return services;
}
