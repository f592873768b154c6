import { createContext, use } from "react";
import type { ConsoleConfig } from "./console-config.js";
import type { WaybillApi } from "./waybill-api.js";

/** Available to every part of the page. */
export interface Services {
  readonly config: ConsoleConfig;
  readonly api: WaybillApi;
}

/** Undefined until somebody has signed in. */
export const ServicesContext = createContext<Services | undefined>(undefined);

/** The services for the signed-in viewer. @throws Error if nobody is signed in. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error("nobody is signed in");
  return services;
}
