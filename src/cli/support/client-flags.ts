import { type RetryOptions, WaybillClient } from "@waybill/client";
import { serviceUrl } from "@waybill/client/support";
import { Option } from "commander";
import { SERVICES, type ServiceName, urlKey } from "../../server/config/services.js";
import { CommandFailure } from "./command-failure.js";
import { fetchByUndici } from "./fetch-by-undici.js";
import { readFlagFile } from "./flag-files.js";

/** Values of the flags for commands that call a service. */
export interface ClientFlags {
  readonly server: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

export function serverOption(service: ServiceName): Option {
  const { title, port } = SERVICES[service];
  return new Option("--server <url>", `base address of the ${title} service`).default(
    `http://127.0.0.1:${port}`,
  );
}

export function tokenOption(): Option {
  return new Option(
    "--token <token>",
    "access token; WAYBILL_TOKEN has the same effect, but other users cannot see it",
  );
}

/** Creates the `--token-file` option, for commands that may run longer than one token is valid. */
export function tokenFileOption(): Option {
  return new Option(
    "--token-file <file>",
    "file with the access token; it is read again if the server rejects the token",
  ).conflicts("token");
}

/** Reports a retry on a terminal. */
const REPORTED_RETRIES: RetryOptions = {
  onRetry: ({ message }, pauseMs) => {
    if (!process.stderr.isTTY) return;
    const seconds = (pauseMs / 1000).toFixed(1);
    // Clears the line, which may contain a progress bar or a count.
    process.stderr.write(`\r\x1b[Kwaybill: ${message}; retrying in ${seconds} s\n`);
  },
};

/**
 * Creates a client from the flags. On a terminal, the client reports its retries.
 *
 * @param tokenFlags the command's token flags, to name in errors.
 * @param retry how the client retries failed calls.
 * @throws CommandFailure if no token is set or the address is invalid.
 */
export function clientOf(
  service: ServiceName,
  flags: ClientFlags,
  tokenFlags = "--token",
  retry = REPORTED_RETRIES,
): WaybillClient {
  const { tokenFile } = flags;
  const token =
    tokenFile === undefined
      ? (flags.token ?? process.env.WAYBILL_TOKEN)
      : () => readFlagFile("--token-file", tokenFile);
  if (token === undefined) throw new CommandFailure(`no access token: set ${tokenFlags} or WAYBILL_TOKEN`);
  let url: string;
  try {
    url = serviceUrl(flags.server, "--server").href;
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
  return new WaybillClient({ token, [urlKey(service)]: url, retry, fetch: fetchByUndici });
}
