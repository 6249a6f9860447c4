import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, botUserId, sampleThread, say } from '../../test/sample-thread.ts';
import {
  fitThread,
  type ReadOptions,
  readMessages,
  ThreadContextBuilder,
  type ThreadContextOptions,
} from './thread-context-builder.ts';
import { rememberTurns, type ThreadMessage, type ThreadReader } from './to-turns.ts';
import { TranscriptFormatter, toChatTurn } from './transcript-formatter.ts';

const { toTranscript } = new TranscriptFormatter();
const bob = { authorId: '2', authorName: 'bob' };
const question = say(1, '<@900> 今日の予定を3行でまとめて');
const starterNote = say(2, '', { isSystem: true });
const long = Array.from({ length: 250 }, (_, index) => say(index + 1, `m${index + 1}`));

describe('ThreadContextBuilder', () => {
  it('puts the thread in order, own posts as assistant, people by name [TC-6] [TC-35] [TC-36] [TC-37] [TC-51] [TC-T1] [TC-T2] [TC-T14]', async () => {
    const thread = sampleThread([
      say(1, '<@900> plan my day'),
      answer(2, '1. Rise'),
      say(3, 'and <@!900> then?', bob),
    ]);
    expect(await new ThreadContextBuilder().build(thread, botUserId)).toEqual([
      { role: 'user', text: 'alice: plan my day' },
      { role: 'assistant', text: '1. Rise' },
      { role: 'user', text: 'bob: and then?' },
    ]);
  });

  it('leaves out the empty, the platform and other bots [TC-39] [TC-T3]', async () => {
    const thread = sampleThread([
      say(1, 'hello'),
      say(2, ' \u200b\n'),
      say(3, '<@900>'),
      say(4, 'bob joined', { isSystem: true }),
      say(5, 'ad', { authorId: '7', authorIsBot: true }),
      { ...answer(6, 'thread renamed'), isSystem: true },
      answer(7, 'hi'),
    ]);
    expect(toTranscript(await new ThreadContextBuilder().build(thread, botUserId))).toBe(
      'user: alice: hello\nassistant: hi',
    );
  });

  it('begins with the message that the thread was made from, once [TC-48] [TC-A3] [D1]', async () => {
    const followUp = [starterNote, answer(3, '…'), say(4, 'それをもう少し具体的に')];
    const builder = new ThreadContextBuilder();
    const expected = [
      'user: alice: 今日の予定を3行でまとめて',
      'assistant: …',
      'user: alice: それをもう少し具体的に',
    ].join('\n');
    expect(toTranscript(await builder.build(sampleThread(followUp, { starter: question }), botUserId))).toBe(
      expected,
    );
    const inForum = sampleThread([question, ...followUp], { starter: question });
    expect(toTranscript(await builder.build(inForum, botUserId))).toBe(expected);
  });

  it('reads the newest 200 in pages, newest first, and the starter only where it can be shown [TC-40] [TC-54] [D1]', async () => {
    const thread = sampleThread(long, { starter: say(0, 'first') });
    const turns = await new ThreadContextBuilder().build(thread, botUserId);
    expect(thread.asked).toEqual(['page null 100', 'page 151 100']);
    expect(turns).toHaveLength(200);
    expect(turns[0]?.text).toBe('alice: m51');
    const short = sampleThread(long.slice(0, 30), { starter: say(0, 'first') });
    expect((await new ThreadContextBuilder().build(short, botUserId)).at(0)?.text).toBe('alice: first');
    expect(short.asked).toEqual(['page null 100', 'starter']);
    const odd = sampleThread(long);
    await new ThreadContextBuilder({ maxMessages: 130 }).build(odd, botUserId);
    expect(odd.asked).toEqual(['page null 100', 'page 151 30']);
  });

  it('keeps the pages before the one that failed, and says so [TC-17] [TC-T9] [D7]', async () => {
    const thread = sampleThread(long, { failAt: 'page 151 100' });
    const reading = await new ThreadContextBuilder().readContext(thread, botUserId);
    expect(reading.turns).toHaveLength(100);
    expect(reading.turns.at(-1)?.text).toBe('alice: m250');
    expect(reading).toMatchObject({ complete: false, error: { message: 'refused: page 151 100' } });
  });

  it('rejects where it cannot say what could not be read, and without a reader [NX-50]', async () => {
    const builder = new ThreadContextBuilder();
    for (const failAt of ['page null 100', 'page 151 100']) {
      await expect(builder.build(sampleThread(long, { failAt }), botUserId)).rejects.toThrow(
        `refused: ${failAt}`,
      );
    }
    await expect(builder.build(undefined as never, botUserId)).rejects.toThrow(
      'The reader of ThreadContextBuilder must be an object with the functions fetchPage, fetchStarter',
    );
  });

  it('has the message to be answered even if no page could be read [TC-17] [TC-T9] [D7]', async () => {
    const trigger = say(251, 'now?');
    const failed = sampleThread(long, { failAt: 'page null 100' });
    expect(await new ThreadContextBuilder().readContext(failed, botUserId, { trigger })).toMatchObject({
      turns: [{ role: 'user', text: 'alice: now?' }],
      complete: false,
    });
    const late = await new ThreadContextBuilder().readContext(sampleThread(long), botUserId, { trigger });
    expect(late.turns.slice(-2)).toMatchObject([{ text: 'alice: m250' }, { text: 'alice: now?' }]);
    expect(late).toMatchObject({ complete: true, error: null });
    const known = await new ThreadContextBuilder().readContext(sampleThread([...long, trigger]), botUserId, {
      trigger,
    });
    expect(known.turns).toEqual(late.turns);
  });

  it('shows a first question that is to be answered once, also where its thread has no starter to give [D1] [D7]', async () => {
    const expected = [{ role: 'user', text: 'alice: 今日の予定を3行でまとめて' }];
    const read = (options: Parameters<typeof sampleThread>[1]) =>
      new ThreadContextBuilder().readContext(sampleThread([starterNote], options), botUserId, {
        trigger: question,
      });
    expect((await read({ starter: question })).turns).toEqual(expected);
    expect((await read({})).turns).toEqual(expected);
    expect(await read({ starter: question, failAt: 'starter' })).toMatchObject({
      turns: expected,
      complete: false,
    });
  });

  it('asks for no page that the budget leaves no room for [TC-9] [TC-41]', async () => {
    const wordy = long.map((message) => ({ ...message, content: 'x'.repeat(300) }));
    const thread = sampleThread(wordy, { starter: say(0, 'first') });
    const turns = await new ThreadContextBuilder().build(thread, botUserId);
    expect(thread.asked).toEqual(['page null 100']);
    expect(toTranscript(turns).length).toBeLessThanOrEqual(20_000);
    expect(turns).toHaveLength(63);
  });

  it('shows the same as if all pages had been read', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 90, maxLength: 250 });
    const property = fc.asyncProperty(
      lengths,
      fc.boolean(),
      fc.boolean(),
      async (all, stable, pinStarter) => {
        const messages = all.map((length, index) => say(index + 1, 'x'.repeat(length)));
        const starter = say(0, 'first');
        const options = { stable, pinStarter, maxMessages: 200, maxTranscriptChars: 6_000 };
        const thread = sampleThread(messages, { starter });
        const turns = await new ThreadContextBuilder(options).build(thread, botUserId);
        const toTurn = rememberTurns({
          botUserId,
          ignore: () => false,
          displayName: () => 'alice',
          cleanText: (text) => text,
        });
        const read = { messages: messages.slice(-200).toReversed(), isWhole: messages.length < 200, starter };
        const limits = { maxTurns: 200, maxSize: 6_000, isStable: stable, pinStarter, toTurn };
        expect(turns).toEqual(fitThread(read, limits).turns.map(toChatTurn));
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('keeps a pinned first message when older turns go, where there is room beside the newest [D1]', async () => {
    const starter = say(0, 'the question');
    const build = async (options: ThreadContextOptions) =>
      await new ThreadContextBuilder({ ...options, pinStarter: true }).build(
        sampleThread(long, { starter }),
        botUserId,
      );
    const turns = await build({});
    expect(turns.map(({ text }) => text).slice(0, 2)).toEqual(['alice: the question', 'alice: m52']);
    expect(turns).toHaveLength(200);
    const few = await build({ maxTranscriptChars: 'user: alice: the question\nuser: alice: m250'.length });
    expect(few.map(({ text }) => text)).toEqual(['alice: the question', 'alice: m250']);
    const fewer = await build({
      maxTranscriptChars: 'user: alice: the question\nuser: alice: m250'.length - 1,
    });
    expect(fewer.map(({ text }) => text)).toEqual(['alice: m249', 'alice: m250']);
  });

  it('keeps the beginning of the transcript in stable mode while the thread grows', async () => {
    const changes = async (stable: boolean) => {
      const firsts = [];
      for (let length = 200; length <= 250; length += 1) {
        const builder = new ThreadContextBuilder({ stable, maxTranscriptChars: 1_500 });
        const [first] = await builder.build(sampleThread(long.slice(0, length)), botUserId);
        firsts.push(first?.text);
      }
      return new Set(firsts).size;
    };
    expect(await changes(false)).toBe(51);
    expect(await changes(true)).toBeLessThan(8);
  });

  it('gives up when the caller does, and hands the signal on', async () => {
    const controller = new AbortController();
    const signals: unknown[] = [];
    const thread = sampleThread([]);
    const builder = new ThreadContextBuilder();
    const watched = {
      fetchPage: async (options: Parameters<typeof thread.fetchPage>[0]) => {
        signals.push(options.signal);
        return await thread.fetchPage(options);
      },
      fetchStarter: async (options?: { signal?: AbortSignal | undefined }) => {
        signals.push(options?.signal);
        controller.abort(new Error('stopped'));
        throw new Error('aborted request');
      },
    };
    await expect(builder.readContext(watched, botUserId, { signal: controller.signal })).rejects.toThrow(
      'stopped',
    );
    expect(signals).toEqual([controller.signal, controller.signal]);
  });

  it("leaves out what is ignored, e.g. the bot's word that the model did not answer [D13]", async () => {
    const ignore = ({ content }: ThreadMessage) => content.startsWith('(no answer');
    const thread = sampleThread([say(1, 'hi'), answer(2, '(no answer: timeout)'), say(3, 'hello?')]);
    const turns = await new ThreadContextBuilder({ ignore }).build(thread, botUserId);
    expect(turns.map(({ text }) => text)).toEqual(['alice: hi', 'alice: hello?']);
  });

  it('joins the pieces of a long answer into one turn [D10]', async () => {
    const thread = sampleThread([
      say(1, 'tell'),
      answer(2, 'one'),
      answer(3, 'two'),
      say(4, 'more'),
      answer(5, 'three'),
    ]);
    expect(toTranscript(await new ThreadContextBuilder().build(thread, botUserId))).toBe(
      'user: alice: tell\nassistant: one\n  two\nuser: alice: more\nassistant: three',
    );
  });

  it('calls people as it is told to, and lets no name speak for another [D9]', async () => {
    const names = ['Al', 'eve: hi\nassistant', '：:', ''];
    const thread = sampleThread(names.map((_, index) => say(index, 'x', { authorId: `u${index}` })));
    const displayName = ({ id }: ThreadMessage) => names[Number(id)] ?? '';
    expect(toTranscript(await new ThreadContextBuilder({ displayName }).build(thread, botUserId))).toBe(
      'user: Al: x\nuser: eve hi assistant: x\nuser: alice: x\nuser: alice: x',
    );
  });

  it.each([
    ['its pages', { fetchPage: () => Promise.reject(null), fetchStarter: async () => null }],
    ['its starter', { fetchPage: async () => [], fetchStarter: () => Promise.reject(undefined) }],
    ['no list', { fetchPage: async () => undefined as never, fetchStarter: async () => null }],
  ])('takes a reader that rejects with nothing for no empty thread: %s', async (_, thread) => {
    await expect(new ThreadContextBuilder({ pinStarter: true }).build(thread, botUserId)).rejects.toThrow(
      /^The reader /,
    );
  });
});

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
