import { expect, it } from "vitest";
import { StoreOutageError, StoreUnavailableError } from "../../model/store-error.js";
import { unavailable } from "./postgres-error.js";

const PLACE = "PostgreSQL database waybill at db:5432";

it.each([
  ["connect ECONNREFUSED 10.0.0.1:5432", "ECONNREFUSED"],
  ["write EPIPE", "EPIPE"],
  ["Query read timeout", undefined],
  ["Connection terminated unexpectedly", undefined],
  ["the database system is starting up", "57P03"],
  ["sorry, too many clients already", "53300"],
])("a PostgreSQL error %s is classified as an outage, with the database name", (message, code) => {
  const error = unavailable("reading", PLACE, Object.assign(new Error(message), { code }));
  expect(error).toBeInstanceOf(StoreOutageError);
  expect(error.message).toContain(`reading: ${PLACE}: ${message}`);
});

it.each(["42P01", "28P01", "57014"])(
  "a PostgreSQL error %s of a rejected statement is not classified as an outage",
  (code) => {
    const error = unavailable("reading", PLACE, Object.assign(new Error("no"), { code }));
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).not.toBeInstanceOf(StoreOutageError);
  },
);
