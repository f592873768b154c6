import { expect, test } from "vitest";
import { mcpCommand } from "./mcp.js";

test.each([
  [["--token", "t"], /required option '--project <project>'/],
  [["--project", "p", "--token", "t", "--server", "nowhere"], /--server is not a URL: nowhere/],
  [["--project", "p", "--token", "t", "--token-file", "f"], /'--token-file <file>' cannot be used with/],
])("waybill mcp rejects the arguments %j", async (flags, message) => {
  const command = mcpCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await expect(command.parseAsync(flags, { from: "user" })).rejects.toThrow(message);
});
