import type { McpServer } from "@modelcontextprotocol/server";
import type { WaybillClient } from "@waybill/client";
import type { z } from "zod";

/** The server and the project that tools read from. */
export interface Source {
  readonly client: WaybillClient;
  /** Id or number of the project. */
  readonly project: string;
}

/** The source of one answer. */
export interface Reading extends Source {
  /** Aborts when the assistant cancels its question or goes away. */
  readonly signal: AbortSignal;
}

/** An answer: the same in sentences and as data. */
export interface ToolAnswer<Data> {
  /** Sentences, each on a line. */
  readonly lines: readonly string[];
  readonly data: Data;
}

/** A tool that changes nothing. */
export interface ReadTool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Tells an assistant when to use the tool, and how. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** @throws Error whose message the assistant gets, such as a `WaybillError` with that of the server. */
  readonly answer: (args: z.output<Input>, reading: Reading) => Promise<ToolAnswer<z.output<Output>>>;
}

/** Adds a tool to a server. Errors become results that are marked as errors. */
export function registerReadTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  source: Source,
  { name, title, description, input, output, answer }: ReadTool<Input, Output>,
): void {
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input as z.ZodObject,
      outputSchema: output,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (args, { mcpReq }) => {
      const { lines, data } = await answer(args as z.output<Input>, { ...source, signal: mcpReq.signal });
      return { content: [{ type: "text", text: lines.join("\n") }], structuredContent: { ...data } };
    },
  );
}
