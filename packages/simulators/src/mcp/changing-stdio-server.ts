import { existsSync, readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/**
 * An MCP server over stdio whose tool `show` takes its description from the file that it is started with: at the start, and when `reload` is
 * called. It has a tool `added` as soon as there is a file with that name and the ending `.added`.
 */
const file = process.argv[2] ?? '';
const readDescription = () => readFileSync(file, 'utf8');

const server = new McpServer({ name: 'changing', version: '1.0.0' });
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const show = server.registerTool(
  'show',
  { description: readDescription(), inputSchema: { name: z.string().describe(readDescription()) } },
  async () => text('shown'),
);
let isAdded = false;
const addTool = () => {
  if (isAdded || !existsSync(`${file}.added`)) return;
  isAdded = true;
  server.registerTool('added', { description: 'A tool that is new.' }, async () => text('added'));
};
addTool();
server.registerTool('reload', { description: 'Reads the description again.' }, async () => {
  show.update({ description: readDescription() });
  addTool();
  return text('read');
});
server.registerTool('crash', { description: 'Ends the server.' }, async () => process.exit(3));
await server.connect(new StdioServerTransport());
