/** Runs a statement on one server of ClickHouse, and returns its response. @throws Error with the server's message. */
export async function runStatement(url: string, statement: string): Promise<string> {
  const response = await fetch(url, { method: "POST", body: statement });
  const text = await response.text();
  if (!response.ok) throw new Error(`${statement}: ${text}`);
  return text;
}
