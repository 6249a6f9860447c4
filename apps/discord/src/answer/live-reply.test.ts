import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/bot/fake-clock.ts';
import { createLiveReply } from './live-reply.ts';

/** A place that keeps what it is told, in the order of its messages. */
function createBoard() {
  const messages: string[] = [];
  const changes: string[] = [];
  return {
    messages,
    changes,
    send: async (content: string) => {
      changes.push(`send ${content.length}`);
      return String(messages.push(content) - 1);
    },
    edit: async (id: string, content: string) => {
      changes.push(`edit ${content.length}`);
      messages[Number(id)] = content;
    },
  };
}

const signal = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createLiveReply', () => {
  it('shows of several texts within a second the last, once [TC-1]', async () => {
    const clock = createFakeClock();
    const board = createBoard();
    const live = createLiveReply(board, { clock, signal });
    for (const text of ['', ' ', 'a', 'ab']) live.show(text);
    await settle();
    for (const text of ['abc', 'abcd', 'abcde']) live.show(text);
    await settle();
    clock.advance(999);
    await settle();
    expect(board.messages).toEqual(['ab']);
    clock.advance(1);
    await settle();
    expect(board.messages).toEqual(['abcde']);
    expect(board.changes).toEqual(['send 2', 'edit 5']);
  });

  it('grows over several messages and changes only what changed [D10]', async () => {
    const clock = createFakeClock();
    const board = createBoard();
    const live = createLiveReply(board, { clock, signal });
    const lines = (count: number): string => `${'a'.repeat(99)}\n`.repeat(count).trim();
    live.show(lines(15));
    await settle();
    const finished = live.finish(lines(45));
    await clock.untilWaiting(1_000);
    clock.advance(1_000);
    await finished;
    expect(board.messages.join('\n')).toBe(lines(45));
    expect(board.messages).toHaveLength(3);
    expect(board.changes.filter((change) => change.startsWith('edit'))).toHaveLength(1);
  });

  it('goes on when it could not show a text, but says so at the end [TC-42]', async () => {
    const clock = createFakeClock();
    const board = createBoard();
    let isBroken = true;
    const send = async (content: string) => {
      if (isBroken) throw new Error('no');
      return board.send(content);
    };
    const live = createLiveReply({ ...board, send }, { clock, signal });
    live.show('a');
    await settle();
    isBroken = false;
    live.show('ab');
    clock.advance(1_000);
    await settle();
    expect(board.messages).toEqual(['ab']);
    isBroken = true;
    const other = createLiveReply({ ...board, send }, { clock, signal });
    await expect(other.finish('x')).rejects.toThrow('no');
  });
});
