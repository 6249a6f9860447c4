import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from './conversation.ts';
import { type ConversationForge, startConversationForge } from './conversation-forge.ts';
import type { Kill } from './draw-kills.ts';
import { judgePlay } from './judge-play.ts';
import { playConversation } from './play-conversation.ts';
import { listPrograms } from './programs.ts';

let forge: ConversationForge;
beforeAll(async () => {
  forge = await startConversationForge();
});
afterAll(() => forge.close());

const conversation: Conversation = {
  ...{ name: 'short', task: 'Mend the total.', turns: 3 },
  acts: [
    { do: 'say', turn: 2, id: 'a', by: 'ada', text: 'In euros, please.' },
    { do: 'say', turn: 2, id: 'b', by: 'bo', text: 'Not in euros!' },
    { do: 'delete', turn: 3, id: 'a' },
    { do: 'say', turn: 3, id: 'c', by: 'bo', text: 'And with a header.' },
  ],
};

async function judge(name: string, ...kills: readonly Kill[]) {
  const program = listPrograms({ opencode: null }).find((one) => one.name === name);
  if (program === undefined) throw new Error(`There is no program ${name}.`);
  const play = await playConversation({ program, conversation, kills, forge, postgresUrl: null });
  return { ...judgePlay(conversation, play), kills: play.kills };
}

describe('playConversation', () => {
  it('has our runner hear everything once though it is killed after its answer and after it has read the thread [NX-294]', {
    tags: ['full'],
  }, async () => {
    const found = await judge(
      'runner',
      { turn: 2, moment: 'answer', delayMs: 3 },
      { turn: 3, moment: 'listing', delayMs: 5 },
    );
    expect(found).toMatchObject({
      ...{ kills: 2, comments: 3, lost: [], duplicated: [], outOfOrder: [], undone: 0 },
    });
    expect(Math.max(...found.late.map(({ calls }) => calls))).toBeLessThanOrEqual(1);
    expect(found.deletions.heard).toBe(found.deletions.of);
  });

  it('has an array in prepareStep lose what was said during the last call, and hear no deletion [NX-292]', async () => {
    const found = await judge('array in prepareStep');
    expect(found).toMatchObject({ kills: 0, lost: ['c'], deletions: { of: 1, heard: 0 } });
  });
});
