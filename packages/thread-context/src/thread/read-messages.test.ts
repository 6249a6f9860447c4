import { describe, expect, it } from 'vitest';
import { sampleThread, say } from '../../test/sample-thread.ts';
import type { ThreadReader } from './ports.ts';
import { type ReadOptions, readMessages } from './read-messages.ts';

const thread = Array.from({ length: 250 }, (_, index) => say(index, `m${index}`));
const read = (reader: ThreadReader, options: Partial<ReadOptions> = {}) =>
  readMessages(reader, { maxMessages: 1_000, wantsOlder: () => true, signal: undefined, ...options });

describe('readMessages', () => {
  it('goes from page to page until the thread begins [TC-28] [D1]', async () => {
    const reader = sampleThread(thread);
    expect(await read(reader)).toEqual({ messages: thread.toReversed(), isWhole: true, error: null });
    expect(reader.asked).toEqual(['page null 100', 'page 150 100', 'page 50 100']);
  });

  it('stops where the limit is, and where older messages do not matter [D1]', async () => {
    expect(await read(sampleThread(thread), { maxMessages: 120 })).toMatchObject({
      messages: { length: 120 },
      isWhole: false,
    });
    const reader = sampleThread(thread);
    expect(await read(reader, { wantsOlder: () => false })).toMatchObject({
      messages: { length: 100 },
      isWhole: false,
    });
    expect(reader.asked).toHaveLength(1);
  });

  it('ends, with each message once, where a reader gives the same page for ever', async () => {
    const page = thread.slice(0, 100).toReversed();
    const stuck: ThreadReader = { fetchPage: async () => page, fetchStarter: async () => null };
    expect((await read(stuck)).messages).toEqual(page);
  });
});
