import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** A real MCP server with a tool for each thing that a client has to cope with. */
export function createTestMcpServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => text(String(a + b)),
  );
  server.registerTool('fail', { description: 'Always fails.' }, async () => ({
    ...text('The printer is on fire.'),
    isError: true,
  }));
  server.registerTool('environment', { description: 'Shows the environment.' }, async () =>
    text(JSON.stringify(process.env)),
  );
  server.registerTool('crash', { description: 'Ends the server.' }, async () => {
    process.stderr.write('I give up\n');
    process.exit(3);
  });
  server.registerTool('hang', { description: 'Never answers.' }, () => new Promise(() => undefined));
  server.registerTool('start', { description: 'Starts a program and leaves it running.' }, async () => {
    const program = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore' });
    child.unref();
    return text(String(child.pid));
  });
  server.registerTool('show', { description: 'Shows something of every kind.' }, async () => ({
    content: [
      { type: 'text', text: 'a word' },
      { type: 'image', data: Buffer.from('picture').toString('base64'), mimeType: 'image/png' },
      { type: 'audio', data: Buffer.from('sound').toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'notes://1', text: 'a note' } },
      {
        type: 'resource',
        resource: {
          uri: 'notes://2',
          blob: Buffer.from('blob').toString('base64'),
          mimeType: 'application/zip',
        },
      },
      {
        type: 'resource_link',
        name: 'more',
        uri: 'https://example.com/more',
        description: 'further reading',
      },
    ],
  }));
  server.registerTool('flood', { description: 'Answers very much.' }, async () =>
    text(`the beginning ${'-'.repeat(1_000_000)} the end`),
  );
  return server;
}
