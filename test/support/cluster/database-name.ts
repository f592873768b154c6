import { randomUUID } from "node:crypto";

/** Returns a database name that no other test uses: tests of all files share servers. */
export const databaseName = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;
