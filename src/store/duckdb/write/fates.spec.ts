import { expect, it } from "vitest";
import { testDirectory } from "../../../../test/support/test-directory.js";
import { MessageEvent_EventType as EventType } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { Database } from "../database.js";
import { countFates, prepareCounting } from "./fates.js";

const PROJECT = "1";
const DAY = 20_000;
const MESSAGES = 1_000_000;

it("counts each message once, even if the keys of one pass do not fit into memory", async () => {
  const database = await Database.open({ directory: await testDirectory(), memoryLimit: "64MB" });
  const connection = await database.connect();
  await prepareCounting(connection);
  const append = (number: number, outcome: string, seen: number) =>
    connection.run(
      `INSERT INTO message_states BY NAME
       SELECT ${PROJECT} AS project, ${DAY} AS day, 1 AS app, hash(i) AS key_high, hash(i + ${MESSAGES}) AS key_low,
         0 AS accepted, ${outcome} AS outcome, NULL AS proxy, ${seen} AS seen, ${number} AS append_number
       FROM range(${MESSAGES}) AS messages(i)`,
    );
  await append(1, "NULL", 1 << EventType.ACCEPTED);
  await append(2, `${EventType.DELIVERED}`, 1 << EventType.DELIVERED);
  const days = [{ day: DAY, counted: 1, until: 2, states: MESSAGES }];
  await countFates(connection, PROJECT, days, MESSAGES);
  const fates = await connection.runAndReadAll(
    "SELECT outcome, messages::INTEGER FROM fates ORDER BY messages",
  );
  expect(fates.getRows()).toEqual([
    [null, -MESSAGES],
    [EventType.DELIVERED, MESSAGES],
  ]);
  database.close();
});
