import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreadMessage, ThreadReader } from '../thread/to-turns.ts';
import { createLiveHistory, type LiveHistory } from './live-history.ts';

const channelId = '5';

function message(id: number, content = `m${id}`): ThreadMessage {
  return { id: String(id), authorId: '2', authorName: 'alice', authorIsBot: false, isSystem: false, content };
}

/** What Discord has, and how often it was asked. */
function createServer() {
  const messages = new Map<number, ThreadMessage>();
  const server = {
    messages,
    asked: 0,
    reader: {
      fetchPage: async ({ before, limit }) => {
        server.asked += 1;
        return [...messages.values()]
          .filter(({ id }) => before === null || Number(id) < Number(before))
          .sort((one, other) => Number(other.id) - Number(one.id))
          .slice(0, limit);
      },
      fetchStarter: async () => {
        server.asked += 1;
        return message(1, 'first');
      },
    } satisfies ThreadReader,
  };
  return server;
}

async function read(
  history: LiveHistory,
  reader: ThreadReader,
  count: number,
): Promise<readonly ThreadMessage[]> {
  const remembered = history.remember(channelId, reader);
  const newest = await remembered.fetchPage({ before: null, limit: Math.min(100, count) });
  const before = newest.at(-1)?.id;
  if (count <= 100 || newest.length < 100 || before === undefined) return newest;
  return [...newest, ...(await remembered.fetchPage({ before, limit: count - 100 }))];
}

describe('createLiveHistory', () => {
  it('says after any events what Discord would say, and asks only for what it cannot know [TC-1, D8]', async () => {
    const change = fc.oneof(
      { weight: 6, arbitrary: fc.constant('add' as const) },
      { weight: 2, arbitrary: fc.constant('edit' as const) },
      { weight: 2, arbitrary: fc.constant('remove' as const) },
      { weight: 1, arbitrary: fc.constant('read' as const) },
    );
    const property = fc.asyncProperty(
      fc.nat({ max: 260 }),
      fc.array(fc.tuple(change, fc.nat()), { maxLength: 120 }),
      async (initial, changes) => {
        const history = createLiveHistory({ maxMessages: 150 });
        const { messages, reader } = createServer();
        let nextId = 10;
        for (; nextId < 10 + initial; nextId += 1) messages.set(nextId, message(nextId));
        for (const [kind, chance] of changes) {
          const ids = [...messages.keys()];
          const id = ids[chance % Math.max(1, ids.length)];
          if (kind === 'add') {
            messages.set(nextId, message(nextId));
            history.apply({ kind: 'added', channelId, message: message(nextId) });
            nextId += 1;
          } else if (kind === 'read') {
            expect(await read(history, reader, 150)).toEqual(
              await read(createLiveHistory({ maxMessages: 150 }), reader, 150),
            );
          } else if (id !== undefined && kind === 'edit') {
            messages.set(id, message(id, `edited ${chance}`));
            history.apply({ kind: 'edited', channelId, id: String(id), content: `edited ${chance}` });
          } else if (id !== undefined) {
            messages.delete(id);
            history.apply({ kind: 'removed', channelId, ids: [String(id)] });
          }
        }
        const expected = await read(createLiveHistory({ maxMessages: 150 }), reader, 150);
        expect(await read(history, reader, 150)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('asks nothing for a thread that it knows [TC-20, D8]', async () => {
    const history = createLiveHistory({ maxMessages: 200 });
    const server = createServer();
    for (let id = 10; id < 400; id += 1) server.messages.set(id, message(id));
    await read(history, server.reader, 200);
    await history.remember(channelId, server.reader).fetchStarter();
    expect(server.asked).toBe(3);
    history.apply({ kind: 'added', channelId, message: message(400) });
    expect((await read(history, server.reader, 200)).map(({ id }) => id)).toContain('400');
    await history.remember(channelId, server.reader).fetchStarter();
    expect(server.asked).toBe(3);
  });

  it('asks again after a new session, and while the connection is gone [TC-20, D8]', async () => {
    const history = createLiveHistory({ maxMessages: 200 });
    const server = createServer();
    server.messages.set(10, message(10));
    await read(history, server.reader, 100);
    for (const [kind, asked] of [
      ['connection-lost', 2],
      ['connection-resumed', 2],
      ['session-new', 3],
    ] as const) {
      history.apply({ kind });
      await read(history, server.reader, 100);
      expect(server.asked).toBe(asked);
    }
  });

  it('keeps what happened while the first page was on its way [D8]', async () => {
    const history = createLiveHistory({ maxMessages: 200 });
    const gate = Promise.withResolvers<void>();
    const reader: ThreadReader = {
      fetchPage: async () => {
        await gate.promise;
        return [message(12), message(11), message(10)];
      },
      fetchStarter: async () => null,
    };
    const reading = read(history, reader, 100);
    history.apply({ kind: 'added', channelId, message: message(13) });
    history.apply({ kind: 'edited', channelId, id: '11', content: 'mended' });
    history.apply({ kind: 'removed', channelId, ids: ['10'] });
    gate.resolve();
    expect((await reading).map(({ content }) => content)).toEqual(['m13', 'm12', 'mended']);
  });

  it('keeps what happened while a further page was on its way [D8]', async () => {
    const history = createLiveHistory({ maxMessages: 200 });
    const server = createServer();
    for (let id = 10; id < 210; id += 1) server.messages.set(id, message(id));
    const gate = Promise.withResolvers<void>();
    const reader: ThreadReader = {
      ...server.reader,
      fetchPage: async (request) => {
        const page = await server.reader.fetchPage(request);
        if (request.before !== null) await gate.promise;
        return page;
      },
    };
    const reading = read(history, reader, 200);
    while (server.asked < 2) await Promise.resolve();
    server.messages.set(60, message(60, 'mended'));
    history.apply({ kind: 'edited', channelId, id: '60', content: 'mended' });
    server.messages.delete(61);
    history.apply({ kind: 'removed', channelId, ids: ['61'] });
    gate.resolve();
    const page = (await reading).filter(({ id }) => ['59', '60', '61', '62'].includes(id));
    expect(page.map(({ content }) => content)).toEqual(['m62', 'mended', 'm59']);
  });

  it('follows the first message, which stands in another channel, and forgets threads that are gone [D8]', async () => {
    const history = createLiveHistory({ maxMessages: 200, maxThreads: 2 });
    const server = createServer();
    const starter = () => history.remember(channelId, server.reader).fetchStarter();
    await starter();
    history.apply({ kind: 'edited', channelId: '4', id: channelId, content: 'mended' });
    expect(await starter()).toMatchObject({ content: 'mended' });
    history.apply({ kind: 'removed', channelId: '4', ids: [channelId] });
    expect(await starter()).toBeNull();
    expect(server.asked).toBe(1);
    history.apply({ kind: 'channel-gone', channelId });
    expect(await starter()).toMatchObject({ content: 'first' });
    for (const other of ['6', '7']) await history.remember(other, server.reader).fetchStarter();
    await starter();
    expect(server.asked).toBe(5);
  });
});
