/**
 * Runs a statement on one ClickHouse server, and returns its response.
 *
 * @throws Error with the server's message.
 * @throws DOMException if `signal` aborts.
 */
export async function runStatement(url: string, statement: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(url, { method: "POST", body: statement, ...(signal && { signal }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${statement}: ${text}`);
  return text;
}
