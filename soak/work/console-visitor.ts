import { errorOf } from "../../src/api/testing/error-of.js";
import type { Random } from "../../src/simulator/random.js";
import { CallFailure, connectionFailure } from "../callers/call-failure.js";
import { Http1Exchange } from "../callers/http1.js";
import type { World } from "./world.js";

/** Loads the console like a browser: the page, its settings and its files, which must not change. */
export class ConsoleVisitor {
  readonly #world: World;
  readonly #random: Random;
  readonly #exchange = new Http1Exchange();
  /** Contents by address and coding. */
  readonly #seen = new Map<string, Buffer>();

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async visit(): Promise<void> {
    const page = await this.#load("/console/", "");
    await this.#load("/console/config.json", "");
    const files = [...page.toString().matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
      ([, file]) => file,
    );
    if (files.length === 0) this.#world.violations.add("console: the page names no files");
    for (const file of files) {
      await this.#load(`/console/${file}`, this.#random.chance(0.5) ? "gzip" : "br");
    }
  }

  disconnect(): void {
    this.#exchange.disconnect();
  }

  async #load(target: string, coding: string): Promise<Buffer> {
    const { calls, target: urls, violations } = this.#world;
    const headers = coding === "" ? {} : { "accept-encoding": coding };
    const bytes = await calls.once("console", target, async () => {
      const response = await this.#exchange
        .send(urls.messagingDataUrl, target, { headers })
        .catch((error) => {
          throw connectionFailure(error);
        });
      if (response.status !== 200) {
        const { status, reason, message } = errorOf(response.text);
        throw new CallFailure(status, reason, message);
      }
      return response.bytes;
    });
    const key = `${target} ${coding}`;
    const before = this.#seen.get(key);
    if (before !== undefined && !before.equals(bytes)) violations.add(`console: ${key} has changed`);
    this.#seen.set(key, bytes);
    return bytes;
  }
}
