import { Agent } from "node:http";
import { fetchBytes } from "../support/fetch-bytes.js";
import { meanTime } from "../support/in-parallel.js";
import { answerQuestions } from "../support/process.js";

/** The pages to request, each once. */
export interface ListQuestion {
  readonly urls: readonly string[];
  readonly token: string;
  readonly concurrency: number;
}

const agent = new Agent({ keepAlive: true });

/** Returns the mean time of a request in milliseconds. */
answerQuestions(({ urls, token, concurrency }: ListQuestion) =>
  meanTime(urls, concurrency, async (url) => {
    await fetchBytes(url, token, agent);
  }),
);
