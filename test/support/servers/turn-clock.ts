import { send } from "../http/exchange.js";
import type { Server } from "./server.js";

/**
 * Turns the clock of a server, without waiting for a command to start.
 * @throws Error if the server refuses the change
 */
export async function turnClock(
  { adminUrl, adminToken }: Pick<Server, "adminUrl" | "adminToken">,
  change: object,
): Promise<void> {
  const { status, text } = await send(adminUrl, "/clock", {
    method: "POST",
    token: adminToken(),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  });
  if (status !== 200) throw new Error(`the clock was not turned: ${text}`);
}
