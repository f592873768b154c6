import { expect, test } from "vitest";
import { grpcMessage } from "./grpc-status.js";

test.each([
  ["", ""],
  ["Send `a: b/c, d;e@f&g=h+i$j#k?` ~", "Send `a: b/c, d;e@f&g=h+i$j#k?` ~"],
  ["100%", "100%25"],
  ["%3A", "%253A"],
  ["é\n\u{1f600}\x7f", "%C3%A9%0A%F0%9F%98%80%7F"],
])("grpcMessage(%j) is %j", (text, sent) => {
  expect(grpcMessage(text)).toBe(sent);
  expect(decodeURIComponent(sent)).toBe(text);
});
