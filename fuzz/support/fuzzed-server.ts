import { configOf } from "../../test/support/data/integrity.js";
import { send } from "../../test/support/http/exchange.js";
import { type OpenServer, openServer } from "../../test/support/servers/open-server.js";
import { BASE_CONFIG, EDITOR, IOS_APP } from "../../test/support/servers/project.js";

/** Statuses from 500 on that reject the request itself: its method, coding, deadline, or HTTP version. */
const OF_REQUESTS = [501, 504, 505];
/** Number of inputs between two checks that the server still responds. */
const CHECK_INTERVAL = 50;

/** A log line. At the configured level, only errors are logged. */
interface LogLine {
  readonly status?: number;
  readonly msg?: string;
}

/** A real server that receives inputs. No input may make it fail. */
export class FuzzedServer {
  readonly #server: OpenServer;
  readonly token: string;
  #logRead = 0;
  #inputs = 0;

  private constructor(server: OpenServer, token: string) {
    this.#server = server;
    this.token = token;
  }

  static async open(): Promise<FuzzedServer> {
    const server = await openServer({ ...BASE_CONFIG, log: { level: "error" } });
    return new FuzzedServer(server, await server.token(EDITOR));
  }

  /** A listener's address, selected by a byte. */
  urlOf(byte: number): string {
    const { integrityUrl, messagingDataUrl, adminUrl } = this.#server;
    return [integrityUrl, messagingDataUrl, messagingDataUrl, adminUrl][byte % 4] ?? integrityUrl;
  }

  get integrityUrl(): string {
    return this.#server.integrityUrl;
  }

  get messagingDataUrl(): string {
    return this.#server.messagingDataUrl;
  }

  /** @throws if the server has logged an error since the last check, or does not respond. */
  async check(): Promise<void> {
    const log = this.#server.log();
    const end = log.lastIndexOf("\n") + 1;
    const lines = log.slice(this.#logRead, end).split("\n");
    this.#logRead = end;
    const fault = lines.find((line) => line !== "" && isFault(line));
    if (fault !== undefined) throw new Error(`the server has logged an error: ${fault}`);
    if (++this.#inputs % CHECK_INTERVAL === 0) await this.#checkResponses();
  }

  /** Stops the server. @throws if it has failed, or does not stop on request. */
  async close(): Promise<void> {
    const { exitCode } = this.#server.process;
    const responses =
      exitCode === null ? this.#checkResponses() : Promise.reject(new Error(`it ended with ${exitCode}`));
    try {
      await responses;
      await this.check();
      const code = await this.#server.stop();
      if (code !== 0) throw new Error(`the server ended with ${code}: ${this.#server.log().slice(-2_000)}`);
    } finally {
      await this.#server.close();
    }
  }

  async #checkResponses(): Promise<void> {
    const { status, text } = await send(this.integrityUrl, configOf(IOS_APP), { token: this.token });
    if (status !== 200) throw new Error(`a call after the input returns ${status}: ${text}`);
  }
}

/** Checks a response status. @throws if it reports a server error. */
export function checkStatus(status: number, response: string): void {
  if (status >= 500 && !OF_REQUESTS.includes(status))
    throw new Error(`responded with ${status}: ${response.slice(0, 500)}`);
}

function isFault(text: string): boolean {
  try {
    const { status } = JSON.parse(text) as LogLine;
    return status === undefined || !OF_REQUESTS.includes(status);
  } catch {
    return true;
  }
}
