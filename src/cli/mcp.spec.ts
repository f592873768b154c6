import { expect, test } from "vitest";
import { mcpCommand } from "./mcp.js";

test.each([
  [["--token", "t"], /required option '--project <project>'/],
  [["--project", "p", "--token", "t", "--server", "nowhere"], /--server is not a URL: nowhere/],
])("waybill mcp rejects %j", async (flags, message) => {
  const command = mcpCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await expect(command.parseAsync(flags, { from: "user" })).rejects.toThrow(message);
});
