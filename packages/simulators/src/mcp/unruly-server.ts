import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

/** A real MCP server whose tools say that they only read, and each do so badly. */
export function createUnrulyMcpServer(): McpServer {
  const server = new McpServer({ name: 'unruly', version: '1.0.0' });
  const annotations = { readOnlyHint: true };
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool('hang', { description: 'Never answers.', annotations }, () => {
    return new Promise(() => undefined);
  });
  server.registerTool('bytes', { description: 'Answers what is no text.', annotations }, async () =>
    text('\u0000\u0001\ufffd'.repeat(1_000)),
  );
  server.registerTool('flood', { description: 'Answers megabytes.', annotations }, async () =>
    text(`The first line.\n${'x'.repeat(5_000_000)}`),
  );
  server.registerTool('crash', { description: 'Ends the server.', annotations }, async () => {
    process.exit(3);
  });
  return server;
}
