import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMcpHttpServer } from '@agent/simulators/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpBed, stdioServer, trackerToken } from '../../test/mcp-bed.ts';
import type { McpServerConfig } from '../config/schemas.ts';
import type { ConnectMcpServersOptions } from './mcp-servers.ts';

const bed = createMcpBed();
afterEach(bed.close);

describe('a server that cannot be had is left out, with the reason, and the others are there', () => {
  const withOthers = async (
    bad: Readonly<Record<string, McpServerConfig>>[string],
    options: Partial<ConnectMcpServersOptions> = {},
  ) => {
    const mcp = await bed.connect({ bad, box: stdioServer }, options);
    expect(mcp.servers[1]).toMatchObject({ name: 'box', status: 'connected' });
    expect(Object.keys(mcp.tools).every((name) => name.startsWith('box_'))).toBe(true);
    expect(mcp.servers[0]).toMatchObject({ name: 'bad', status: 'failed', tools: 0 });
    const log = mcp.log();
    expect(log).toContain('skipped MCP server: failed to connect');
    expect(log).not.toContain(trackerToken);
    return mcp.servers[0]?.error;
  };

  it('when its program is not there', async () => {
    expect(await withOthers({ command: 'no-such-program', args: [], env: [], tools: null })).toBe(
      '"no-such-program" could not be started: it is not installed, not in PATH, or this user may not run it.',
    );
  });

  it('when it ends at once, with what it said but without secrets', async () => {
    const script = 'console.error("bad token " + process.env.TRACKER_TOKEN); process.exit(4)';
    const error = await withOthers({
      command: process.execPath,
      args: ['-e', script],
      env: ['TRACKER_TOKEN'],
      tools: null,
    });
    expect(error).toContain('it ended with exit code 4 and said: bad token [REDACTED]');
  });

  it('when it speaks another language', async () => {
    const error = await withOthers({
      command: process.execPath,
      args: ['-e', 'console.log("hello")'],
      env: [],
      tools: null,
    });
    expect(error).toContain('it ended with exit code 0');
  });

  it('when nobody listens at its address, or its token is refused or not set', async () => {
    const server = await startMcpHttpServer({ token: trackerToken });
    bed.onClose(server.close);
    expect(await withOthers({ url: server.url, token_env: null, tools: null })).toMatch(/401/);
    expect(await withOthers({ url: server.url, token_env: 'MISSING_TOKEN', tools: null })).toContain(
      'MISSING_TOKEN is not set',
    );
    await server.close();
    expect(await withOthers({ url: server.url, token_env: null, tools: null })).toMatch(
      /fetch failed|ECONNREFUSED/,
    );
  });
});

describe('a server that hangs', () => {
  /** Waits for real until the server has been started, then the time is over. */
  const untilStarted = (started: Promise<unknown>) => ({ sleep: () => started });

  it('over stdio is ended after the time limit', async () => {
    const mcp = await bed.connect(
      {
        bad: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: [], tools: null },
      },
      { sleep: async () => undefined },
    );
    expect(mcp.servers).toEqual([
      {
        name: 'bad',
        status: 'failed',
        tools: 0,
        missing: [],
        waiting: [],
        error: 'It did not list its tools within 30 s.',
        cause: expect.any(Error),
      },
    ]);
  });

  it('over HTTP is given up after the time limit', async () => {
    let asked: (value: unknown) => void = () => undefined;
    const started = new Promise((resolve) => {
      asked = resolve;
    });
    const server = createServer(asked);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    bed.onClose(() => new Promise((resolve) => server.close(resolve)));
    bed.onClose(() => server.closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const mcp = await bed.connect({ bad: { url, token_env: null, tools: null } }, untilStarted(started));
    expect(mcp.servers[0]?.error).toBe('It did not list its tools within 30 s.');
  });

  it('is not waited for when the daemon ends', async () => {
    const reason = new Error('the end');
    const connecting = bed.connect({ box: stdioServer }, { signal: AbortSignal.abort(reason) });
    await expect(connecting).rejects.toBe(reason);
  });
});
