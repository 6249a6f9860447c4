import { describe, expect, it } from 'vitest';
import type { ThreadMessage, ThreadReader } from '../thread/to-turns.ts';
import { toAnsweringView } from './history-views.ts';

const botUserId = '1';

function message(id: number, authorId: string): ThreadMessage {
  const authorIsBot = authorId === botUserId;
  return { id: String(id), authorId, authorName: 'x', authorIsBot, isSystem: false, content: `m${id}` };
}

/** A thread of which people wrote the odd messages before 100 and the bot the even ones. */
function createReader(messages: readonly ThreadMessage[]): ThreadReader {
  const newestFirst = [...messages].sort((one, other) => Number(other.id) - Number(one.id));
  return {
    fetchPage: async ({ before, limit }) =>
      newestFirst.filter(({ id }) => before === null || Number(id) < Number(before)).slice(0, limit),
    fetchStarter: async () => null,
  };
}

async function readAll(reader: ThreadReader, limit: number): Promise<readonly ThreadMessage[]> {
  const read: ThreadMessage[] = [];
  let before: string | null = null;
  for (;;) {
    const page: readonly ThreadMessage[] = await reader.fetchPage({ before, limit });
    read.push(...page.filter(({ id }) => !read.some((one) => one.id === id)));
    before = page.at(-1)?.id ?? null;
    if (page.length < limit) return read;
  }
}

describe('toAnsweringView', () => {
  const thread = createReader([
    message(8, '2'),
    message(9, '2'),
    message(10, '2'),
    message(11, botUserId),
    message(12, '3'),
  ]);

  it('puts the message to be answered last, what came later from people aside, own answers before it [TC-59, D8]', async () => {
    const view = toAnsweringView(thread, { trigger: message(9, '2'), botUserId });
    const read = await readAll(view, 100);
    expect(read.filter(({ isSystem }) => !isSystem).map(({ id }) => id)).toEqual(['9', '11', '8']);
  });

  it('puts it last also where its own page comes later, as it reads there [TC-59, D8]', async () => {
    const view = toAnsweringView(thread, { trigger: message(9, '2'), botUserId });
    expect((await view.fetchPage({ before: null, limit: 2 })).map(({ id }) => id)).toEqual(['9', '12', '11']);
    expect((await view.fetchPage({ before: '11', limit: 2 })).map(({ id }) => id)).toEqual(['10', '9']);
  });

  it('leaves out no message however the pages fall [TC-59, D8]', async () => {
    for (const limit of [1, 2, 3, 5]) {
      const view = toAnsweringView(thread, { trigger: message(9, '2'), botUserId });
      const read = await readAll(view, limit);
      expect(read.map(({ id }) => id).sort()).toEqual(['10', '11', '12', '8', '9']);
    }
  });
});
