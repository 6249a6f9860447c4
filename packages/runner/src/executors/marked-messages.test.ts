import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';
import { Conversation } from '../conversation.ts';
import { createMemoryRunJournal } from '../memory-run-journal.ts';
import { readEntries } from '../replay-journal.ts';
import { Tally } from '../tally.ts';
import { HandedMessages } from './handed-messages.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

const anyMark = /\[message [0-9a-f]{16}\]/giu;

/** Marks that stand in what the agent was sent. */
const listMarks = () => bed.userMessages().flatMap((message) => message.match(anyMark) ?? []);

describe('a mark by which a message is found again', () => {
  it('reaches nobody, however often the agent says it again [NX-285]', async () => {
    const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
    const { result, journal, events } = await bed.play({
      comments,
      scripts: [{ waits: true, misbehavior: { quotes: true } }],
    });
    const outcome = toOutcome(result);
    expect(outcome.finalText).toContain('Use tabs.');
    expect(listMarks()).toHaveLength(2);
    const all = JSON.stringify([outcome, events, journal.toolEvents, await readEntries(journal)]);
    for (const mark of listMarks()) {
      expect(all).not.toContain(mark);
      expect(all).not.toContain(mark.slice(9, -1));
    }
  });

  it('of another message, written by a stranger, makes nothing count as told [NX-285]', async () => {
    const { journal } = await bed.play();
    const [mark = ''] = listMarks();
    const quoting = `I saw ${mark} and Mend it.\n\n${mark}`;
    const comments = createInbox([commentSaying(quoting, 'c1')]);
    const { result } = await bed.play({ journal, comments });
    expect(toOutcome(result).status).toBe('completed');
    expect(listMarks().filter((found) => found === mark)).toHaveLength(1);
    expect(countHolding(bed.userMessages(), 'I saw (message')).toBe(1);
  });

  it.each(['echoes', 'forgets'] as const)(
    'that the agent tells of while it works proves nothing: it %s [NX-285]',
    async (how) => {
      const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
      const wrong = { forgets: true, misbehavior: { echoes: how === 'echoes' } };
      const { result } = await bed.play({ comments, scripts: [wrong, {}] });
      expect(toOutcome(result).status).toBe('completed');
      expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
    },
  );

  it('that stands in a replay without its message proves nothing: the message is told again [NX-285, NX-287]', async () => {
    for (const replays of ['nothing', 'half', 'marks', 'alien'] as const) {
      const comments = createInbox([nothingNew, commentSaying('Use tabs, and never spaces.', 'c1')]);
      const own = createAgentBed();
      const { result } = await own.play({ comments, scripts: [{ misbehavior: { replays } }] });
      expect(toOutcome(result).status).toBe('completed');
      // It was told in the turn, and again by a prompt that was answered.
      expect(countHolding(own.userMessages(), 'Use tabs, and never spaces.')).toBe(2);
      await own.remove();
    }
  });

  it('is found in a replay in pieces [NX-285]', async () => {
    const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
    const { result } = await bed.play({ comments, scripts: [{ misbehavior: { replays: 'halves' } }] });
    expect(toOutcome(result).status).toBe('completed');
    expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
  });

  it('is looked for where a turn was canceled, which may have dropped what it began with [NX-285]', async () => {
    for (const dropsCanceled of [false, true]) {
      const own = createAgentBed();
      const comments = createInbox([
        nothingNew,
        commentSaying('Use tabs.', 'c1'),
        commentSaying('No, spaces.', 'c2'),
      ]);
      const { result } = await own.play({
        comments,
        scripts: [{ steering: 'none', calls: 3, misbehavior: { dropsCanceled } }],
      });
      expect(toOutcome(result).status).toBe('completed');
      expect(countHolding(own.userMessages(), 'Use tabs.')).toBe(1);
      expect(countHolding(own.userMessages(), 'No, spaces.')).toBe(1);
      await own.remove();
    }
  });
});

describe('HandedMessages', () => {
  async function open(...texts: readonly string[]) {
    const hideKnownSecrets = (text: string) => text;
    const tally = new Tally(() => 0);
    const conversation = new Conversation(
      { journal: createMemoryRunJournal(), tally, hideKnownSecrets },
      null,
    );
    for (const content of texts) await conversation.append({ role: 'user', content });
    const messages = new HandedMessages(() => 'secret');
    const replay = (userText: string) =>
      messages.compare({ id: 's', isKept: true, agent: null, userText }, { conversation, costMicros: 0 });
    replay('');
    const written = messages.write(messages.listMissing(conversation));
    return { messages, conversation, replay, written };
  }

  it.each([
    ['as it was sent', (text: string) => text],
    ['in other spaces', (text: string) => text.replaceAll(' ', '\n  ')],
    ['in a frame', (text: string) => `<user_query>\n${text}\n</user_query>`],
    ['escaped', (text: string) => text.replaceAll('"', '\\"')],
  ])('finds a message that is replayed %s [NX-285]', async (_, replayed) => {
    const { messages, conversation, replay, written } = await open('Say "one" and two.');
    replay(replayed(written.join('\n')));
    expect(messages.listMissing(conversation)).toEqual([]);
  });

  it.each([
    ['its mark alone', (text: string) => text.slice(-27)],
    ['its end', (text: string) => text.slice(8)],
    ['its words alone', (text: string) => text.slice(0, -27)],
    [
      'its words, and the mark in other words',
      (text: string) => `${text.slice(0, -27)} I know ${text.slice(-27)}`,
    ],
  ])('misses a message of which a replay holds no more than %s [NX-285]', async (_, replayed) => {
    const { messages, conversation, replay, written } = await open('Say "one" and two.');
    replay(replayed(written.join('\n')));
    expect(messages.listMissing(conversation)).toHaveLength(1);
  });

  it('hides a mark in any letters, and a long run of spaces in no time [NX-285]', async () => {
    const { messages, written } = await open('one');
    const mark = written[0]?.slice(-17, -1) ?? '';
    expect(messages.hideMarks(`a [MESSAGE ${mark}] b ${mark.toUpperCase()} c`)).toBe('a b … c');
    expect(messages.hideMarks(' '.repeat(200_000)).length).toBe(200_000);
    expect(messages.hideMarks('commit 0123456789abcdef')).toBe('commit 0123456789abcdef');
  });
});
