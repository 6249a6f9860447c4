import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** An MCP server over stdio whose tool `show` takes its description from the file that it is started with: at the start, and when `reload` is called. */
const readDescription = () => readFileSync(process.argv[2] ?? '', 'utf8');

const server = new McpServer({ name: 'changing', version: '1.0.0' });
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const show = server.registerTool(
  'show',
  { description: readDescription(), inputSchema: { name: z.string().describe(readDescription()) } },
  async () => text('shown'),
);
server.registerTool('reload', { description: 'Reads the description again.' }, async () => {
  show.update({ description: readDescription() });
  return text('read');
});
server.registerTool('crash', { description: 'Ends the server.' }, async () => process.exit(3));
await server.connect(new StdioServerTransport());
