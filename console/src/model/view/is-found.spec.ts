import { expect, test } from "vitest";
import { isFound } from "./is-found.js";

test.each([
  ["cart_reminder", "", true],
  ["cart_reminder", "cart", true],
  ["cart_reminder", "  CART ", true],
  ["cart_reminder", "rem", true],
  ["cart_reminder", "cart_rem", true],
  ["cart_reminder", "_rem", true],
  ["cart_reminder", "minder", false],
  ["cart_reminder", "reminders", false],
  ["banana-ana", "ana", true],
  ["banana", "ana", false],
  ["spring-sale.2025", "2025", true],
  ["(no label)", "no lab", true],
  ["Größe", "größe", true],
])("%j is found by %j: %s", (name, search, found) => {
  expect(isFound(name, search)).toBe(found);
});
