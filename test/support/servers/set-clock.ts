import { send } from "../http/exchange.js";
import type { Server } from "./server.js";

/** Sets a server's clock without a command. @throws Error if the server rejects the change. */
export async function setClock(
  { adminUrl, adminToken }: Pick<Server, "adminUrl" | "adminToken">,
  change: object,
): Promise<void> {
  const { status, text } = await send(adminUrl, "/clock", {
    method: "POST",
    token: adminToken(),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  });
  if (status !== 200) throw new Error(`the clock was not set: ${text}`);
}
