import type { DescService } from "@bufbuild/protobuf";
import { IntegrityService } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { RegistryService } from "../../gen/waybill/registry/v1/registry_pb.js";

interface Service {
  /** Prefix of the service's config keys and ready-line keys, such as `integrityPort` and `integrityUrl`. */
  readonly key: string;
  /** Display name. */
  readonly title: string;
  /** Default port. */
  readonly port: number;
  readonly contract: DescService;
}

/**
 * All services in start order, by their names in the config, logs and metrics. Config, listeners, addresses and
 * commands are derived from this table. `start-server.ts` opens the services.
 */
export const SERVICES = {
  integrity: { key: "integrity", title: "app-integrity", port: 8080, contract: IntegrityService },
  "messaging-data": {
    key: "messagingData",
    title: "messaging-data",
    port: 8081,
    contract: MessagingDataService,
  },
  registry: { key: "registry", title: "registry", port: 8082, contract: RegistryService },
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as [ServiceName, ...ServiceName[]];

/** Config key of a service's address, such as `integrityUrl`. */
export type UrlKey<Name extends ServiceName = ServiceName> = `${(typeof SERVICES)[Name]["key"]}Url`;

/** Config key of a service's port, such as `integrityPort`. */
export type PortKey<Name extends ServiceName = ServiceName> = `${(typeof SERVICES)[Name]["key"]}Port`;

export const urlKey = <Name extends ServiceName>(name: Name): UrlKey<Name> =>
  `${SERVICES[name].key}Url` as UrlKey<Name>;

export const portKey = <Name extends ServiceName>(name: Name): PortKey<Name> =>
  `${SERVICES[name].key}Port` as PortKey<Name>;
