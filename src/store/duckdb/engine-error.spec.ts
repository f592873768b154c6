import { expect, it } from "vitest";
import { WaitTimeoutError } from "../../limits/limit-wait.js";
import { StoreUnavailableError, TooManyGroupsError } from "../../model/store-error.js";
import { orUnavailable } from "./engine-error.js";

it.each([
  new WaitTimeoutError("no slot came free in time"),
  new TooManyGroupsError("too many groups"),
  new StoreUnavailableError("no space left"),
])("does not wrap an error that services handle: %s", async (error) => {
  await expect(orUnavailable("storing events", () => Promise.reject(error))).rejects.toBe(error);
});

it("reports any other error as an unavailable store", async () => {
  const work = orUnavailable("storing events", () => Promise.reject(new Error("IO Error")));
  await expect(work).rejects.toThrow(StoreUnavailableError);
});
