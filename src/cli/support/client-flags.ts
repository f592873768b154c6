import { Option } from "commander";
import { serviceUrl } from "../../client/service-url.js";
import { WaybillClient } from "../../client/waybill-client.js";
import type { SERVICES } from "../../server/config/config-schema.js";
import { CommandFailure } from "./command-failure.js";

/** One of the two services. */
type ServiceName = (typeof SERVICES)[number];

/** What every command that calls a server is told. */
export interface ClientFlags {
  readonly server: string;
  readonly token?: string;
}

const SERVERS: Readonly<Record<ServiceName, { title: string; address: string }>> = {
  integrity: { title: "app-integrity", address: "http://127.0.0.1:8080" },
  "messaging-data": { title: "messaging-data", address: "http://127.0.0.1:8081" },
};

/** `--server` */
export function serverOption(service: ServiceName): Option {
  const { title, address } = SERVERS[service];
  return new Option("--server <url>", `base address of the ${title} service`).default(address);
}

/** `--token` */
export function tokenOption(): Option {
  return new Option(
    "--token <token>",
    "access token; or set WAYBILL_TOKEN, which other users of the machine cannot see",
  );
}

/**
 * The client that the flags ask for. On a terminal it tells when it has to try again.
 * @throws CommandFailure if there is no token, or the address is none.
 */
export function clientOf(service: ServiceName, flags: ClientFlags): WaybillClient {
  const token = flags.token ?? process.env.WAYBILL_TOKEN;
  if (token === undefined) throw new CommandFailure("no access token: give --token or set WAYBILL_TOKEN");
  let url: string;
  try {
    url = serviceUrl(flags.server, "--server").href;
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
  return new WaybillClient({
    token,
    ...(service === "integrity" ? { integrityUrl: url } : { messagingDataUrl: url }),
    retry: {
      onRetry: ({ message }, pauseMs) => {
        if (!process.stderr.isTTY) return;
        const seconds = (pauseMs / 1000).toFixed(1);
        // A progress bar or a count may stand on the line.
        process.stderr.write(`\r\x1b[Kwaybill: ${message}; trying again in ${seconds} s\n`);
      },
    },
  });
}
