import { readFile } from 'node:fs/promises';
import { startMcpHttpServer } from '@agent/simulators/mcp';
import { asSchema } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpBed, stdioServer, trackerToken } from '../../test/mcp-bed.ts';
import type { RunTool } from '../tools/define-tool.ts';
import type { McpServers } from './mcp-servers.ts';

const bed = createMcpBed();
afterEach(bed.close);

function call(mcp: McpServers, name: string, input: unknown = {}, signal?: AbortSignal): Promise<string> {
  return (mcp.tools[name] as RunTool).execute(input, { toolCallId: 'call-1', signal });
}

/** A process that has ended and was not yet fetched by its parent has no command line any more. */
const isAlive = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';

describe('an MCP server over stdio', () => {
  it('gives its tools under its own name, with their schemas and whether they only read', async () => {
    const mcp = await bed.connect({ box: stdioServer });
    expect(mcp.servers).toEqual([
      { name: 'box', status: 'connected', tools: 8, missing: [], waiting: [], error: null, cause: null },
    ]);
    expect(Object.keys(mcp.tools)).toEqual(
      ['add', 'fail', 'environment', 'crash', 'hang', 'start', 'show', 'flood'].map((name) => `box_${name}`),
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
    const mcp = await bed.connect({ box: stdioServer });
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
    const mcp = await bed.connect({ box: stdioServer });
    await expect(call(mcp, 'box_fail')).rejects.toThrow('The printer is on fire.');
    await expect(call(mcp, 'box_add', { a: 'two' })).rejects.toThrow(/Invalid arguments|validation/i);
  });

  it('sees PATH, HOME and the variables that the configuration lists, and no other', async () => {
    const mcp = await bed.connect({ box: { ...stdioServer, env: ['TRACKER_TOKEN', 'NOT_SET'] } });
    const seen = JSON.parse(await call(mcp, 'box_environment')) as Record<string, string>;
    expect(Object.keys(seen).sort()).toEqual(['AGENT_COMMAND_ID', 'HOME', 'PATH', 'TRACKER_TOKEN']);
    expect(seen).toMatchObject({ HOME: '/nonexistent', TRACKER_TOKEN: '[REDACTED]' });
  });

  it('is ended at the close, with everything that it started', async () => {
    const mcp = await bed.connect({ box: stdioServer });
    const pid = Number(await call(mcp, 'box_start'));
    expect(await isAlive(pid)).toBe(true);
    await mcp.close();
    expect(await isAlive(pid)).toBe(false);
    await expect(call(mcp, 'box_add', { a: 1, b: 1 })).rejects.toThrow(/did not run add: it was closed/);
  });

  it('that ends by itself says so to the model, with what it said last, and is there at the next call [NX-60]', {
    tags: ['full'],
  }, async () => {
    const mcp = await bed.connect({ box: stdioServer });
    await expect(call(mcp, 'box_crash')).rejects.toThrow(
      'The MCP server "box" did not run crash: it ended with exit code 3 and said: I give up; it is reconnected at the next call of its tools',
    );
    const both = [call(mcp, 'box_add', { a: 1, b: 1 }), call(mcp, 'box_add', { a: 2, b: 2 })];
    expect(await Promise.all(both)).toEqual(['2', '4']);
    expect(mcp.log().match(/reconnected to MCP server/g)).toHaveLength(1);
  });

  it('that ends again and again is started after longer and longer pauses, and in the end refused for a while [NX-60]', {
    tags: ['full'],
  }, async () => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const mcp = await bed.connect({ box: stdioServer }, { now: () => 0, pause });
    for (let crash = 0; crash < 5; crash += 1)
      await expect(call(mcp, 'box_crash')).rejects.toThrow('it ended with exit code 3');
    expect(pauses).toEqual([1_000, 4_000, 16_000]);
    await expect(call(mcp, 'box_add', { a: 1, b: 1 })).rejects.toThrow(
      'it is not reconnected for another 64 s',
    );
  });

  it('gives the tools that its list allows, and names those that it does not have [NX-61]', async () => {
    const mcp = await bed.connect({ box: { ...stdioServer, tools: ['add', 'ad'] } });
    expect(Object.keys(mcp.tools)).toEqual(['box_add']);
    expect(mcp.servers[0]).toMatchObject({ tools: 1, missing: ['ad'] });
    expect(mcp.log()).toContain('MCP server lacks listed tools');
  });

  it('that answers much is shown with the beginning and the end of it [NX-61]', async () => {
    const mcp = await bed.connect({ box: stdioServer });
    const answer = await call(mcp, 'box_flood');
    expect(answer.length).toBeLessThan(33 * 1024);
    expect(answer).toMatch(/^the beginning .* bytes left out .* the end$/s);
  });

  it('that does not answer is left when the run is told to end', async () => {
    const mcp = await bed.connect({ box: stdioServer });
    const reason = new Error('the end');
    const controller = new AbortController();
    const calling = call(mcp, 'box_hang', {}, controller.signal);
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    expect(await call(mcp, 'box_add', { a: 1, b: 1 })).toBe('2');
  });
});

describe('an MCP server over HTTP', () => {
  it('that was away is there again at the next call [NX-60]', async () => {
    const server = await startMcpHttpServer({ token: trackerToken });
    const mcp = await bed.connect({ far: { url: server.url, token_env: 'TRACKER_TOKEN', tools: null } });
    await server.close();
    await expect(call(mcp, 'far_add', { a: 1, b: 1 })).rejects.toThrow(/reconnected at the next call/);
    await expect(call(mcp, 'far_add', { a: 1, b: 1 })).rejects.toThrow(/could not be reconnected/);
    const again = await startMcpHttpServer({ token: trackerToken, port: Number(new URL(server.url).port) });
    bed.onClose(again.close);
    expect(await call(mcp, 'far_add', { a: 1, b: 1 })).toBe('2');
    await expect(call(mcp, 'far_fail')).rejects.toThrow('The printer is on fire.');
    expect(await call(mcp, 'far_add', { a: 2, b: 1 })).toBe('3');
  });

  it('is reached with its token, which no other server gets', async () => {
    const server = await startMcpHttpServer({ token: trackerToken });
    bed.onClose(server.close);
    const mcp = await bed.connect({
      far: { url: server.url, token_env: 'TRACKER_TOKEN', tools: null },
      near: stdioServer,
    });
    expect(mcp.servers.map(({ status }) => status)).toEqual(['connected', 'connected']);
    expect(await call(mcp, 'far_add', { a: 20, b: 22 })).toBe('42');
    await expect(call(mcp, 'far_fail')).rejects.toThrow('The printer is on fire.');
    expect(await call(mcp, 'near_environment')).not.toContain(trackerToken);
  });
});
