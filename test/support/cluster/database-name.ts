import { randomUUID } from "node:crypto";

/** Returns a name that no other test gives a database: tests of all files share servers. */
export const databaseName = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;
