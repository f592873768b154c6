import type { DescService } from "@bufbuild/protobuf";
import type { PlainRoute } from "../api/plain-route.js";
import { descriptionRoutes } from "../descriptions/description-routes.js";
import type { ServiceName } from "./config/config-schema.js";
import { VERSION } from "./operators/version.js";
import type { ServerParts } from "./server-parts.js";

/** Routes of the descriptions of a service, which name its public address. */
export const serviceDescriptions = (
  name: ServiceName,
  service: DescService,
  { addresses, scopeNames }: ServerParts,
): PlainRoute[] =>
  descriptionRoutes({
    service,
    baseUrl: () => addresses.publicUrl(name),
    scopeNames,
    programVersion: VERSION,
  });
