import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

/** A real MCP server with one tool, `read`, that has this description and gives this answer. */
export function createNotesMcpServer(texts: {
  readonly description: string;
  readonly answer: string;
}): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const annotations = { readOnlyHint: true };
  server.registerTool('read', { description: texts.description, annotations }, async () => ({
    content: [{ type: 'text', text: texts.answer }],
  }));
  return server;
}
