import type { DescEnum, DescField, DescMessage, DescService } from "@bufbuild/protobuf";
import { expect, it, test } from "vitest";
import { LibraryService } from "../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import { type Commented, commentOf, firstSentence } from "./comments.js";
import { readContract } from "./description-routes.js";

const contract = readContract();
const message = (name: string): DescMessage => contract.getMessage(name) ?? fail(name);
const service = (name: string): DescService => contract.getService(name) ?? fail(name);
const eventType: DescEnum =
  contract.getEnum("waybill.messagingdata.v1beta1.MessageEvent.EventType") ?? fail("EventType");
const field = (of: DescMessage, name: string): DescField => of.field[name] ?? fail(name);
function fail(name: string): never {
  throw new Error(`the contract has no ${name}`);
}

const event = message("waybill.messagingdata.v1beta1.MessageEvent");
const messagingData = service("waybill.messagingdata.v1beta1.MessagingDataService");

test.each<[what: string, desc: Commented, comment: string]>([
  ["message", event, "Something that happened to one message on its way to one app instance."],
  [
    "field",
    field(event, "appId"),
    "The Android app: 1 to 256 characters without `/` and control characters; not `-`, `.` or `..`, which have a special meaning in paths.",
  ],
  [
    "enum in a message",
    eventType,
    "A type of event. Events at the same instant are sorted in the order of these types.",
  ],
  ["value", eventType.value[2] ?? fail("DELIVERED"), "Outcome: delivered to the device."],
  [
    "enum",
    contract.getEnum("waybill.auth.v1.Role") ?? fail("Role"),
    "A role of a principal on a project. Each role includes those before it.",
  ],
  [
    "message in a message",
    message("google.rpc.BadRequest.FieldViolation"),
    "A message type used to describe a single bad request field.",
  ],
  [
    "service",
    messagingData,
    "The messaging-data service: imports message events and lists the delivery data computed from them.",
  ],
  [
    "method",
    messagingData.method.listAndroidDeliveryData ?? fail("ListAndroidDeliveryData"),
    "Lists the aggregate delivery data of messages sent to one Android app (specification 4.2): newest date first, " +
      "then by analytics label. A date is listed once it has ended in America/Los_Angeles.",
  ],
])("commentOf joins the comment lines of a %s", (_what, desc, comment) => {
  expect(commentOf(desc)).toBe(comment);
});

it("commentOf keeps paragraphs and lists, and converts cross-references to text", () => {
  const comment = commentOf(message("google.type.Date"));
  expect(comment).toContain(
    "one of the following:\n\n* A full date, with non-zero year, month, and day values.\n* A",
  );
  expect(comment).toContain("(for example, a credit card expiration date).\n\nRelated types:\n\n");
  expect(comment).toMatch(/\* google\.protobuf\.Timestamp$/);
});

it("commentOf returns nothing for generated code", () => {
  expect(commentOf(LibraryService)).toBe("");
});

test.each([
  ["One. Two.", "One."],
  ["One of (section 4.2): two. Three", "One of (section 4.2): two."],
  ["Use `a.b` and e.g. this, at 1.5. And more.", "Use `a.b` and e.g. this, at 1.5."],
  ["Without an end", "Without an end"],
  ["First\n\nSecond. Third.", "First"],
  ["", ""],
])("firstSentence(%j) returns %j", (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence);
});
