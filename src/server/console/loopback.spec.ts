import { expect, test } from "vitest";
import { isLoopback, namedUrl, originsOf, reachableUrl } from "./loopback.js";

test.each([
  ["http://127.0.0.1:8081", "http://127.0.0.1:8081"],
  ["http://0.0.0.0:8081", "http://127.0.0.1:8081"],
  ["https://[::]:8081", "https://[::1]:8081"],
  ["https://data.example/api", "https://data.example/api"],
])("reachableUrl converts %s to %s", (url, reachable) => {
  expect(reachableUrl(url)).toBe(reachable);
});

test.each([
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://0.0.0.0:8080", "http://127.0.0.1:8080"],
  ["http://[::1]:8080", "http://localhost:8080"],
  ["https://[::]:8080", "https://localhost:8080"],
  ["http://[::1]/apps", "http://localhost/apps"],
  ["https://apps.example/[::1]", "https://apps.example/[::1]"],
])("namedUrl converts %s to %s", (url, named) => {
  expect(namedUrl(url)).toBe(named);
});

test.each([
  ["https://data.example:443/api", ["https://data.example"]],
  ["http://192.168.1.5:8081", ["http://192.168.1.5:8081"]],
  ["http://[::1]:80", ["http://localhost", "http://127.0.0.1", "http://[::1]"]],
  ...["http://127.0.0.1:8081", "http://localhost:8081/x", "http://0.0.0.0:8081", "http://[::]:8081"].map(
    (url): [string, string[]] => [
      url,
      ["http://localhost:8081", "http://127.0.0.1:8081", "http://[::1]:8081"],
    ],
  ),
])("originsOf(%s) returns %j", (url, origins) => {
  expect(originsOf(url)).toEqual(origins);
});

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["[::1]", true],
  ["localhost.example", false],
  ["127.0.0.2", false],
])("isLoopback(%s) is %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
