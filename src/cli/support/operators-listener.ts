import { Option } from "commander";
import { serviceUrl } from "../../client/service-url.js";
import { CommandFailure } from "./command-failure.js";

/** The flag `--admin`, for commands that call the operators' listener. */
export const adminFlag = (): Option =>
  new Option("--admin <url>", "address of the server's operators' listener").default("http://127.0.0.1:9090");

/**
 * Sends a request to the operators' listener.
 *
 * @param admin the value of {@link adminFlag}.
 * @param path relative, such as `backup`.
 * @returns an answer with a status of 200 to 299.
 * @throws CommandFailure otherwise.
 */
export async function callOperators(admin: string, path: string, init: RequestInit): Promise<Response> {
  const url = routeUrl(admin, path);
  const response = await fetch(url, init).catch((cause: Error) => {
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
    throw new CommandFailure(`${url.origin} cannot be reached: ${reason}`, { cause });
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new CommandFailure(`${url.origin} refused: ${messageIn(text) ?? `status ${response.status}`}`);
}

function routeUrl(admin: string, path: string): URL {
  try {
    return new URL(path, `${serviceUrl(admin, "--admin").href.replace(/\/$/, "")}/`);
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}
