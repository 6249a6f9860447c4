import { markUnfinished, type StandingPart } from '@agent/thread-context/chat';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/bot/fake-clock.ts';
import { BotError } from '../bot-error.ts';
import { createOutgoingAnswer, type OutgoingAnswer } from './outgoing-answer.ts';

const temporary = () => new BotError('discord-temporary', 'closed');
const gone = () => new BotError('discord-gone', 'deleted');

/** A place that keeps what it is told, with what each change failed with, if it did. */
function createBoard() {
  const messages = new Map<string, string>();
  const sent: { number: number; first: string | null }[] = [];
  const changes: string[] = [];
  const edited: StandingPart[] = [];
  /** Null: the change is made. */
  const failures: ({ readonly error: Error; readonly isDone: boolean } | null)[] = [];
  const fail = () => {
    const failure = failures.shift() ?? null;
    if (failure !== null) throw failure.error;
  };
  return {
    messages,
    sent,
    changes,
    /** What Discord tells all processes. */
    edited,
    failures,
    texts: () => [...messages.values()].map((text) => text.replace(/[\u200b-\u200d\u2060]/g, '')),
    send: async (content: string, part: { number: number; first: string | null }) => {
      changes.push(`send ${part.number}`);
      sent.push(part);
      const id = `m${part.number}`;
      if (failures[0]?.isDone !== false) messages.set(id, messages.get(id) ?? content);
      fail();
      return { id, content: messages.get(id) ?? content };
    },
    edit: async (id: string, content: string) => {
      changes.push(`edit ${id}`);
      fail();
      messages.set(id, content);
      edited.push({ id, content });
    },
    remove: async (id: string) => {
      changes.push(`remove ${id}`);
      fail();
      messages.delete(id);
    },
    findSent: async (content: string) => {
      changes.push('find');
      const found = [...messages].find(([, text]) => text === content);
      return found === undefined ? null : { id: found[0], content };
    },
  };
}

const { signal } = new AbortController();
const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(standing: readonly StandingPart[] = []) {
  const clock = createFakeClock();
  const board = createBoard();
  for (const { id, content } of standing) board.messages.set(id, content);
  return { clock, board, answer: createOutgoingAnswer(board, { clock, signal, key: 1, standing }) };
}

/** Lets pauses pass as they come, until something is over. */
async function passing(clock: ReturnType<typeof createFakeClock>, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  void end
    .finally(() => {
      isOver = true;
    })
    .catch(() => {});
  for (;;) {
    await settle();
    if (isOver) break;
    clock.advance(clock.waiting()[0] ?? 0);
  }
  await end;
}

const lines = (count: number): string => `${'a'.repeat(99)}\n`.repeat(count).trim();

describe('an answer that grows', () => {
  it('shows of several texts within a second the last, once [TC-1]', async () => {
    const { clock, board, answer } = open();
    for (const text of ['', ' ', 'a', 'ab']) answer.show(text);
    await settle();
    for (const text of ['abc', 'abcd', 'abcde']) answer.show(text);
    await settle();
    clock.advance(999);
    await settle();
    expect(board.texts()).toEqual(['ab\n⏳']);
    clock.advance(1);
    await settle();
    expect(board.texts()).toEqual(['abcde\n⏳']);
    expect(board.changes).toEqual(['send 0', 'edit m0']);
  });

  it('stands over several messages at the end, without a mark [D10]', async () => {
    const { clock, board, answer } = open();
    answer.show(lines(15));
    await settle();
    await passing(clock, answer.finish(lines(45)));
    expect(board.texts().join('\n')).toBe(lines(45));
    expect(board.sent).toEqual([
      { number: 0, first: null },
      { number: 1, first: 'm0' },
      { number: 2, first: 'm0' },
    ]);
  });

  it('is one message with its mark when Discord posted its first words and failed to say so [NX-105]', async () => {
    const { clock, board, answer } = open();
    board.failures.push(...Array.from({ length: 3 }, () => ({ error: temporary(), isDone: true })));
    answer.show('one');
    await settle();
    answer.show('one two');
    await passing(clock, answer.finish('one two three'));
    expect(board.texts()).toEqual(['one two three']);
    expect(board.changes).toEqual(['send 0', 'send 0', 'send 0', 'send 0', 'edit m0']);
  });
});

describe('an answer in parts', () => {
  const whole = lines(45);
  const partCount = 3;

  it.each([0, 1, 2, 3, 4])(
    'carries a mark whenever it breaks off after %s changes [NX-104]',
    async (made) => {
      const { board, answer } = open();
      const died = new Error('killed');
      const alive = { count: made };
      const guard =
        <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
        async (...args: Args): Promise<Result> => {
          if (alive.count === 0) throw died;
          alive.count -= 1;
          return act(...args);
        };
      const place = {
        ...board,
        send: guard(board.send),
        edit: guard(board.edit),
        remove: guard(board.remove),
      };
      const broken = createOutgoingAnswer(place, { clock: createFakeClock(), signal, key: 1 });
      await expect(broken.finish(whole)).rejects.toThrow('killed');
      expect(answer.hasBegun()).toBe(false);
      const texts = board.texts();
      if (texts.length === partCount) expect(texts.at(-2)).toMatch(/⏳$/);
      else if (made > 0) expect(texts.at(-1)).toMatch(/⏳$/);
    },
  );

  it('becomes whole in the messages that an earlier process left, and leaves none over [NX-104]', async () => {
    for (const [left, text] of [
      [1, whole],
      [3, whole],
      [3, 'short'],
    ] as const) {
      const standing = Array.from({ length: left }, (_, index) => ({
        id: `m${index}`,
        content: index === left - 1 ? markUnfinished('old', { key: 2 }) : 'old',
      }));
      const { clock, board, answer } = open(standing);
      await passing(clock, answer.finish(text));
      expect(board.texts().join('\n')).toBe(text);
    }
  });

  it('keeps what an earlier process left until there is as much of the new text, and tells of a failure below it [NX-104]', async () => {
    const standing = ['one', 'two', markUnfinished('three', { key: 2 })];
    const { board, answer } = open(standing.map((content, index) => ({ id: `m${index}`, content })));
    answer.show('anew');
    await settle();
    await answer.say('the model failed');
    expect(board.texts()).toEqual(['one', 'two', 'three', 'the model failed']);
  });

  it('keeps its mark until a notice says why it is not whole [NX-104]', async () => {
    const { clock, board, answer } = open();
    await answer.finish('half', { isWhole: false });
    expect(board.texts()).toEqual(['half\n⏳']);
    await passing(clock, answer.say('cut off'));
    expect(board.texts()).toEqual(['half', 'cut off']);
  });

  it.each([whole.replaceAll('a', 'b'), 'b'])(
    'that is given anew says so until all of the new text stands, wherever it breaks off [NX-104, NX-107]',
    async (text) => {
      for (const made of [0, 1, 2, 3, 4, 5]) {
        const { clock, board, answer } = open();
        await passing(clock, answer.finish(whole));
        board.failures.push(...Array.from({ length: made }, () => null), { error: gone(), isDone: false });
        await passing(clock, answer.finish(text)).catch(() => {});
        const left = board.texts();
        const isMixed = left.some((part) => part.includes('a')) && left.some((part) => part.includes('b'));
        if (isMixed) expect(left.at(-1)).toMatch(/⏳$/);
        else expect([whole, `${whole}\n⏳`, text]).toContain(left.join('\n'));
      }
    },
  );

  it('notices that one was deleted, and can still say so [NX-104]', async () => {
    const { clock, board, answer } = open();
    answer.show('one');
    await settle();
    board.failures.push({ error: gone(), isDone: false });
    answer.show('one two');
    clock.advance(1_000);
    await settle();
    expect(answer.broken.aborted).toBe(true);
    await expect(answer.finish('one two three')).rejects.toThrow('deleted');
    await answer.say('a part was deleted');
    expect(board.sent.at(-1)).toEqual({ number: 1, first: null });
  });
});

describe('when Discord fails for a while', () => {
  it('is posted after growing pauses, under the same number [NX-103]', async () => {
    const { clock, board, answer } = open();
    board.failures.push(...Array.from({ length: 4 }, () => ({ error: temporary(), isDone: false })));
    const finished = answer.finish('an answer');
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
      await clock.untilWaiting(pauseMs);
      clock.advance(pauseMs);
    }
    await finished;
    expect(board.sent.map(({ number }) => number)).toEqual([0, 0, 0, 0, 0]);
    expect(board.texts()).toEqual(['an answer']);
  });

  it('is looked for before it is posted again once Discord may have forgotten the number [NX-103]', async () => {
    const { clock, board, answer } = open();
    board.failures.push({ error: temporary(), isDone: true });
    board.failures.push(...Array.from({ length: 6 }, () => ({ error: temporary(), isDone: false })));
    await passing(clock, answer.finish('an answer'));
    expect(board.changes).toEqual([...Array.from({ length: 7 }, () => 'send 0'), 'find']);
    expect(board.texts()).toEqual(['an answer']);
  });

  it('is given up after a quarter of an hour, and at once when the bot ends [NX-103]', async () => {
    const { clock, board, answer } = open();
    board.failures.push(...Array.from({ length: 100 }, () => ({ error: temporary(), isDone: false })));
    const begun = clock.now();
    await expect(passing(clock, answer.finish('an answer'))).rejects.toThrow('closed');
    expect(clock.now() - begun).toBeLessThanOrEqual(15 * 60_000);

    const ending = new AbortController();
    const other: OutgoingAnswer = createOutgoingAnswer(board, { clock, signal: ending.signal, key: 1 });
    const finished = other.finish('an answer');
    await clock.untilWaiting(1_000);
    ending.abort(new Error('the bot ends'));
    await expect(finished).rejects.toThrow('the bot ends');
  });

  it('leaves when another process has begun with the same words [NX-106]', async () => {
    const { board, answer } = open();
    const other = createOutgoingAnswer(board, { clock: createFakeClock(), signal, key: 2 });
    other.show('The same');
    answer.show('The same');
    await settle();
    expect(answer.broken.reason).toMatchObject({ code: 'answered' });
    expect(other.broken.aborted).toBe(false);
  });

  it('leaves when the number stands for the answer of another process [NX-106]', async () => {
    const { board, answer } = open();
    board.messages.set('m0', 'what the other says');
    await expect(answer.finish('what I say')).rejects.toMatchObject({ code: 'answered' });
    expect(board.texts()).toEqual(['what the other says']);
  });
});

describe('an answer that two processes write', () => {
  it.each([
    ['one', 'other'],
    ['other', 'one'],
  ] as const)('is left by %s to the one whose mark comes last, %s [NX-106]', async (first, last) => {
    const { clock, board, answer: one } = open();
    one.show('half');
    await settle();
    const part = { id: 'm0', content: board.messages.get('m0') ?? '' };
    // What it looked at just before they both write.
    const looked = { ...board, findSent: async () => part };
    const other = createOutgoingAnswer(looked, { clock, signal, key: 2, standing: [part] });
    clock.advance(1_000);
    const both = { one, other };
    const write = {
      one: async () => {
        one.show('half of it');
        await settle();
      },
      other: other.claim,
    };
    await write[first]();
    await write[last]();
    for (const message of board.edited) for (const answer of [one, other]) answer.hear(message);

    expect(both[first].broken.reason).toMatchObject({ code: 'answered' });
    expect(both[last].broken.aborted).toBe(false);
    const before = board.texts();
    await expect(both[first].finish('all of it')).rejects.toMatchObject({ code: 'answered' });
    await expect(both[first].say('it failed')).rejects.toMatchObject({ code: 'answered' });
    expect(board.texts()).toEqual(before);
    await passing(clock, both[last].finish('all of it'));
    expect(board.texts()).toEqual(['all of it']);
  });

  it('is looked at before a process goes on with it that was frozen for so long that another may have it [NX-106]', async () => {
    for (const isTaken of [true, false]) {
      const clock = createFakeClock();
      const board = createBoard();
      const answer = createOutgoingAnswer(board, { clock, signal, key: 1, leaseMs: 8_000 });
      answer.show('half');
      await settle();
      if (isTaken) board.messages.set('m0', 'all of it, by another');
      clock.advance(8_001);
      answer.show('half of it');
      await settle();
      expect(board.texts()).toEqual([isTaken ? 'all of it, by another' : 'half of it\n⏳']);
      expect(answer.broken.aborted).toBe(isTaken);
    }
  });

  it('is not taken over when it has changed since it was found [NX-106]', async () => {
    const { board, answer } = open([{ id: 'm0', content: markUnfinished('half', { key: 2 }) }]);
    board.messages.set('m0', 'all of it');
    await expect(answer.claim()).rejects.toMatchObject({ code: 'answered' });
    expect(board.texts()).toEqual(['all of it']);
  });
});
