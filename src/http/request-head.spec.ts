import { expect, test } from "vitest";
import { isHost } from "./request-head.js";

test.each([
  "localhost",
  "127.0.0.1",
  "127.0.0.1:8080",
  "example.com",
  "example.com:443",
  "example.com:",
  "EXAMPLE.com.",
  "my_host",
  "caf%C3%A9.example",
  "a,b",
  "[::1]",
  "[::1]:8080",
  "[2001:db8::7]:1",
  "[::ffff:127.0.0.1]",
  "[v1.x:y]",
])("accepts %s as a host", (text) => {
  expect(isHost(text)).toBe(true);
});

test.each([
  "",
  " ",
  ":8080",
  "a b",
  "a, b",
  "user@example.com",
  "http://example.com",
  "example.com/",
  "example.com?x",
  "example.com#x",
  "example.com:80:80",
  "example.com:port",
  "example.com:-1",
  "example.com:65536",
  "example.com:99999999999999999999999",
  "caf\u00e9.example",
  "a%2",
  "a%zz",
  "a\\b",
  "<x>",
  '"x"',
  "::1",
  "[::1",
  "[]",
  "[1]",
  "[::1]x",
  "[fe80::1%25eth0]",
  "[127.0.0.1]",
])("rejects %j as a host", (text) => {
  expect(isHost(text)).toBe(false);
});
