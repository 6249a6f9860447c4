import { type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeTool } from '../../test/collection-setup.ts';
import { createReadOnlyTools } from './create-read-only-tools.ts';

const read = (execute: (path: string, options: { signal: AbortSignal }) => unknown) =>
  createReadOnlyTools({ read: makeTool(execute) }).call({ tool: 'read', parameters: { path: 'a' } });

describe('createReadOnlyTools', () => {
  it('runs only what is marked as reading, whatever the model writes [E14]', async () => {
    const done: string[] = [];
    const tools = createReadOnlyTools({
      read: makeTool((path) => path),
      write: makeTool((path) => done.push(path), false),
    });
    expect((await tools.list()).map(({ name }) => name)).toEqual(['read']);
    for (const name of ['write', 'shell', '__proto__', 'constructor']) {
      expect(await tools.call({ tool: name, parameters: { path: 'a' } })).toMatchObject({
        status: 'refused',
      });
    }
    expect(await tools.call({ tool: 'write', parameters: { path: 'a' } })).toEqual({
      status: 'refused',
      reason: 'the tool "write" may change something; only tools that read are run',
    });
    expect(done).toEqual([]);
  });

  it('knows a tool that reads by its name in another manner, and none that writes or that could be two', async () => {
    const done: string[] = [];
    const write = makeTool((path) => done.push(path), false);
    const read = makeTool((path) => path);
    const { call } = createReadOnlyTools({ read_file: read, write_file: write, list: read, LIST: write });
    const statusOf = async (tool: string) => (await call({ tool, parameters: { path: 'a' } })).status;
    for (const name of ['READ_FILE', 'readFile', 'functions.read_file', 'ｒｅａｄ－ｆｉｌｅ', 'list']) {
      expect([name, await statusOf(name)]).toEqual([name, 'success']);
    }
    for (const name of ['WriteFile', 'tools.write_file', 'LIST', 'List', 'read_files', '', '_']) {
      expect([name, await statusOf(name)]).toEqual([name, 'refused']);
    }
    expect(done).toEqual([]);
  });

  it('takes a ToolSet of the AI SDK, with a rule for which of its tools read [E14]', async () => {
    const set: ToolSet = {
      search: tool({
        description: 'Searches.',
        inputSchema: z.object({ query: z.string() }),
        execute: async ({ query }) => ({ hits: [query] }),
      }),
    };
    const tools = createReadOnlyTools(set, { isReadOnly: (name) => name === 'search' });
    expect(await tools.list()).toMatchObject([
      { name: 'search', description: 'Searches.', parameters: { required: ['query'] } },
    ]);
    expect(await tools.call({ tool: 'search', parameters: { query: 'a' } })).toEqual({
      status: 'success',
      output: '{"hits":["a"]}',
    });
    expect(await tools.call({ tool: 'search', parameters: { q: 1 } })).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('invalid parameters'),
    });
  });

  it.each([
    ['nothing', ''],
    ['an empty list', []],
    ['not found', 'Error: no such file or directory, open a'],
    ['no matches', 'No matches'],
    ['not found, in Japanese', 'ファイルが見つかりません'],
    ['an error as a result', { isError: true, content: [{ type: 'text', text: 'Not found' }] }],
    ['bytes', new Uint8Array([1, 2])],
    ['binary', '\u0000\u0001PNG'],
  ])('takes %s for a failure that would repeat itself [E4] [PP-24]', async (_, output) => {
    expect(await read(() => output)).toMatchObject({ status: 'failed', isTransient: false });
  });

  it('takes contents that speak of errors for contents [E4]', async () => {
    const text = `function notFound() { throw new Error('404 not found'); }\n`.repeat(10);
    expect(await read(() => text)).toEqual({ status: 'success', output: text });
    expect(await read(() => ({ content: [{ type: 'text', text: 'a' }] }))).toEqual({
      status: 'success',
      output: 'a',
    });
  });

  it.each([
    [Object.assign(new Error('Bad gateway'), { status: 502 }), true],
    [Object.assign(new Error('read'), { code: 'ECONNRESET' }), true],
    [new Error('rate limit exceeded'), true],
    [new Error('something broke'), true],
    [Object.assign(new Error('open a'), { code: 'ENOENT' }), false],
    [Object.assign(new Error('nope'), { status: 404 }), false],
    [new Error('Invalid argument'), false],
    [Object.assign(new Error('404 for now'), { retryable: true }), true],
    ['a text', true],
  ])('knows whether %s may pass [E3]', async (error, isTransient) => {
    const answer = await read(() => {
      throw error;
    });
    expect(answer).toMatchObject({ status: 'failed', isTransient });
  });

  it('leaves a tool that hangs, and tells it so', async () => {
    let seen: AbortSignal | undefined;
    const hang = makeTool((_, { signal }) => {
      seen = signal;
      return new Promise(() => undefined);
    });
    const tools = createReadOnlyTools({ read: hang }, { sleep: async () => undefined, timeoutMs: 5_000 });
    expect(await tools.call({ tool: 'read', parameters: { path: 'a' } })).toEqual({
      status: 'failed',
      reason: 'timeout: no answer within 5 s',
      isTransient: true,
    });
    expect(seen?.aborted).toBe(true);
  });

  it('ends with the reason of the signal', async () => {
    const given = new AbortController();
    const tools = createReadOnlyTools({
      read: makeTool(() => {
        given.abort(new Error('shut down'));
        return new Promise(() => undefined);
      }),
    });
    const call = tools.call({ tool: 'read', parameters: { path: 'a' }, signal: given.signal });
    await expect(call).rejects.toThrow('shut down');
  });
});
