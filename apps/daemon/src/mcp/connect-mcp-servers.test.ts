import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RunTool } from '@agent/runner';
import { asSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { startMcpHttpServer } from '../../test/support/mcp-http-server.ts';
import type { Config } from '../config/schema.ts';
import { createLogger } from '../log/logger.ts';
import { createRedactor } from '../log/redact.ts';
import { type ConnectMcpServersOptions, connectMcpServers, type McpServers } from './connect-mcp-servers.ts';

const file = fileURLToPath(new URL('../../test/support/mcp-stdio-server.ts', import.meta.url));
const node = process.execPath;
const stdio = { command: node, args: [file], env: [] };
const secret = 'TheTokenOfTheTracker0001';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function connect(
  servers: Config['mcp_servers'],
  options: Partial<ConnectMcpServersOptions> = {},
): Promise<McpServers & { readonly log: () => string }> {
  const output = new PassThrough();
  const redact = createRedactor([secret]);
  const mcp = await connectMcpServers(servers, {
    environment: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GITHUB_TOKEN: 'not for you',
      TRACKER_TOKEN: secret,
    },
    directory: process.cwd(),
    logger: createLogger({ level: 'info', format: 'json', redact, output }),
    redact,
    signal: new AbortController().signal,
    ...options,
  });
  closing.push(mcp.close);
  return { ...mcp, log: () => String(output.read() ?? '') };
}

function call(mcp: McpServers, name: string, input: unknown = {}, signal?: AbortSignal): Promise<string> {
  return (mcp.tools[name] as RunTool).execute(input, { toolCallId: 'call-1', signal });
}

/** A process that has ended and was not yet fetched by its parent has no command line any more. */
const isAlive = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';

describe('an MCP server over stdio', () => {
  it('gives its tools under its own name, with their schemas and whether they only read', async () => {
    const mcp = await connect({ box: stdio });
    expect(mcp.servers).toEqual([{ name: 'box', status: 'connected', tools: 7, error: null }]);
    expect(Object.keys(mcp.tools)).toEqual(
      ['add', 'fail', 'environment', 'crash', 'hang', 'start', 'show'].map((name) => `box_${name}`),
    );
    const { description, readOnly, inputSchema } = mcp.tools.box_add as RunTool;
    expect({ description, readOnly }).toEqual({ description: 'Adds two numbers.', readOnly: true });
    expect(mcp.tools.box_fail?.readOnly).toBe(false);
    expect(await asSchema(inputSchema).jsonSchema).toMatchObject({
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    });
    expect(await call(mcp, 'box_add', { a: 2, b: 3 })).toBe('5');
  });

  it('answers something of every kind, and the model reads a text', async () => {
    const mcp = await connect({ box: stdio });
    expect(await call(mcp, 'box_show')).toMatchInlineSnapshot(`
      "a word

      [image, image/png, 7 bytes, not shown]

      [audio, audio/wav, 5 bytes, not shown]

      [resource] notes://1
      a note

      [resource] notes://2 [application/zip, 4 bytes, not shown]

      [link] more https://example.com/more further reading"
    `);
  });

  it('rejects when the tool says that it failed, and when the arguments are refused', async () => {
    const mcp = await connect({ box: stdio });
    await expect(call(mcp, 'box_fail')).rejects.toThrow('The printer is on fire.');
    await expect(call(mcp, 'box_add', { a: 'two' })).rejects.toThrow(/Invalid arguments|validation/i);
  });

  it('sees PATH, HOME and the variables that the configuration lists, and no other', async () => {
    const mcp = await connect({ box: { ...stdio, env: ['TRACKER_TOKEN', 'NOT_SET'] } });
    const seen = JSON.parse(await call(mcp, 'box_environment')) as Record<string, string>;
    expect(Object.keys(seen).sort()).toEqual(['AGENT_COMMAND_ID', 'HOME', 'PATH', 'TRACKER_TOKEN']);
    expect(seen).toMatchObject({ HOME: '/nonexistent', TRACKER_TOKEN: secret });
  });

  it('is ended at the close, with everything that it started', async () => {
    const mcp = await connect({ box: stdio });
    const pid = Number(await call(mcp, 'box_start'));
    expect(await isAlive(pid)).toBe(true);
    await mcp.close();
    expect(await isAlive(pid)).toBe(false);
    await expect(call(mcp, 'box_add', { a: 1, b: 1 })).rejects.toThrow(/did not carry out add/);
  });

  it('that ends by itself says so to the model, with what it said last', async () => {
    const mcp = await connect({ box: stdio });
    await expect(call(mcp, 'box_crash')).rejects.toThrow(
      'The MCP server "box" did not carry out crash: it ended with exit code 3 and said: I give up',
    );
    await expect(call(mcp, 'box_add', { a: 1, b: 1 })).rejects.toThrow('until the daemon starts anew');
  });

  it('that does not answer is left when the run is told to end', async () => {
    const mcp = await connect({ box: stdio });
    const reason = new Error('the end');
    const controller = new AbortController();
    const calling = call(mcp, 'box_hang', {}, controller.signal);
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    expect(await call(mcp, 'box_add', { a: 1, b: 1 })).toBe('2');
  });
});

describe('an MCP server over HTTP', () => {
  it('is reached with its token, which no other server gets', async () => {
    const server = await startMcpHttpServer({ token: secret });
    closing.push(server.close);
    const mcp = await connect({ far: { url: server.url, token_env: 'TRACKER_TOKEN' }, near: stdio });
    expect(mcp.servers.map(({ status }) => status)).toEqual(['connected', 'connected']);
    expect(await call(mcp, 'far_add', { a: 20, b: 22 })).toBe('42');
    await expect(call(mcp, 'far_fail')).rejects.toThrow('The printer is on fire.');
    expect(await call(mcp, 'near_environment')).not.toContain(secret);
  });
});

describe('a server that cannot be had is left out, with the reason, and the others are there', () => {
  const withOthers = async (
    bad: Config['mcp_servers'][string],
    options: Partial<ConnectMcpServersOptions> = {},
  ) => {
    const mcp = await connect({ bad, box: stdio }, options);
    expect(mcp.servers[1]).toMatchObject({ name: 'box', status: 'connected' });
    expect(Object.keys(mcp.tools).every((name) => name.startsWith('box_'))).toBe(true);
    expect(mcp.servers[0]).toMatchObject({ name: 'bad', status: 'failed', tools: 0 });
    const log = mcp.log();
    expect(log).toContain('an MCP server is left out');
    expect(log).not.toContain(secret);
    return mcp.servers[0]?.error;
  };

  it('when its program is not there', async () => {
    expect(await withOthers({ command: 'no-such-program', args: [], env: [] })).toBe(
      '"no-such-program" could not be started: it is not installed, or not in PATH.',
    );
  });

  it('when it ends at once, with what it said but without secrets', async () => {
    const script = 'console.error("bad token " + process.env.TRACKER_TOKEN); process.exit(4)';
    const error = await withOthers({ command: node, args: ['-e', script], env: ['TRACKER_TOKEN'] });
    expect(error).toContain('it ended with exit code 4 and said: bad token [REDACTED]');
  });

  it('when it speaks another language', async () => {
    const error = await withOthers({ command: node, args: ['-e', 'console.log("hello")'], env: [] });
    expect(error).toContain('it ended with exit code 0');
  });

  it('when nobody listens at its address, or its token is refused or not set', async () => {
    const server = await startMcpHttpServer({ token: secret });
    closing.push(server.close);
    expect(await withOthers({ url: server.url, token_env: null })).toMatch(/401/);
    expect(await withOthers({ url: server.url, token_env: 'MISSING_TOKEN' })).toContain(
      'MISSING_TOKEN is not set',
    );
    await server.close();
    expect(await withOthers({ url: server.url, token_env: null })).toMatch(/fetch failed|ECONNREFUSED/);
  });
});

describe('a server that hangs', () => {
  /** Waits for real until the server has been started, then the time is over. */
  const untilStarted = (started: Promise<unknown>) => ({ sleep: () => started });

  it('over stdio is ended after the time limit', async () => {
    const mcp = await connect(
      { bad: { command: node, args: ['-e', 'setInterval(() => {}, 1000)'], env: [] } },
      { sleep: async () => undefined },
    );
    expect(mcp.servers).toEqual([
      { name: 'bad', status: 'failed', tools: 0, error: 'It did not tell its tools within 30 s.' },
    ]);
  });

  it('over HTTP is given up after the time limit', async () => {
    let asked: (value: unknown) => void = () => undefined;
    const started = new Promise((resolve) => {
      asked = resolve;
    });
    const server = createServer(asked);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => server.closeAllConnections(),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const mcp = await connect({ bad: { url, token_env: null } }, untilStarted(started));
    expect(mcp.servers[0]?.error).toBe('It did not tell its tools within 30 s.');
  });

  it('is not waited for when the daemon ends', async () => {
    const reason = new Error('the end');
    const connecting = connect({ box: stdio }, { signal: AbortSignal.abort(reason) });
    await expect(connecting).rejects.toBe(reason);
  });
});
