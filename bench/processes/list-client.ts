import { Agent } from "node:http";
import { respondToQuestions } from "../support/process.js";
import { fetchBytes } from "../support/reads/fetch-bytes.js";
import { meanTime } from "../support/reads/in-parallel.js";

/** The pages to request, each once. */
export interface ListQuestion {
  readonly urls: readonly string[];
  readonly token: string;
  readonly concurrency: number;
}

const agent = new Agent({ keepAlive: true });

/** Returns the mean time of a request in milliseconds. */
respondToQuestions(({ urls, token, concurrency }: ListQuestion) =>
  meanTime(urls, concurrency, async (url) => {
    await fetchBytes(url, token, agent);
  }),
);
