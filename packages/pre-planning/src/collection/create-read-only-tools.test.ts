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
      reason: 'the tool "write" may change something; only read-only tools run',
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

  it('leaves out a tool that cannot be described, and says so', async () => {
    const warned: object[] = [];
    const warn = (fields: object) => void warned.push(fields);
    const logger = { debug: warn, info: warn, warn, error: warn };
    const broken = {
      ...makeTool((path) => path),
      inputSchema: (() => {
        throw new Error('no schema');
      }) as never,
    };
    const tools = createReadOnlyTools({ broken, read: makeTool((path) => path) }, { logger });
    expect((await tools.list()).map(({ name }) => name)).toEqual(['read']);
    expect(warned).toMatchObject([{ tool: 'broken', err: { message: 'no schema' } }]);
    expect(await tools.call({ tool: 'broken', parameters: { path: 'a' } })).toMatchObject({
      status: 'failed',
    });
    expect(await createReadOnlyTools({ broken }).list()).toEqual([]);
  });

  it('takes what a tool yields last for its result', async () => {
    async function* search() {
      yield 'looking';
      yield 'found';
    }
    expect(await read(search)).toEqual({ status: 'success', output: 'found' });
  });

  it.each([
    [new Error('broken pipe'), 'broken pipe'],
    [{ message: 'The index is not there' }, 'The index is not there'],
    [{ error: { message: 'quota' } }, 'quota'],
    [{ why: 'none' }, '{"why":"none"}'],
    [{}, 'the tool failed'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('says why a call failed, whatever %j it rejects with', async (error, reason) => {
    expect(await read(() => Promise.reject(error))).toMatchObject({ status: 'failed', reason });
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
