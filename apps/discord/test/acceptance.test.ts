import { describe, expect, it } from 'vitest';
import { type Scene, startScene } from './bot/start-scene.ts';

/** A model that knows nothing but what it is given: how many turns there were, and what was said last. */
function answerFrom(input: string): string {
  const turns = input.match(/^(user|assistant): /gm)?.length ?? 0;
  return `${turns}: ${input.split('\n').at(-1)?.replace('user: ', '')}`;
}

const everybody = Array.from({ length: 20 }, (_, number) => `person${number}`);

/** Twenty people call the bot at once, and go on at once; LM Studio is reloaded while it answers them. */
async function talkInTwentyThreads({ discord, lmStudio, answers }: Scene): Promise<string> {
  const { people, generalId } = discord;
  const ids = everybody.map((name) => people.say(name, generalId, `${name} asks`, { mention: true }).id);
  for (const id of ids) await answers(id, 1);
  const held = lmStudio.holdNext();
  for (const [index, id] of ids.entries()) people.say(everybody[index] ?? '', id, 'and then?');
  await held.arrived;
  lmStudio.reload(['another-model']);
  held.release();

  for (const [index, id] of ids.entries()) {
    const name = everybody[index];
    expect(await answers(id, 2)).toEqual([`1: ${name}: ${name} asks`, `3: ${name}: and then?`]);
  }
  expect(discord.threads().map(({ id, name }) => [id, name])).toEqual(
    ids.map((id, index) => [id, `suzume: person${index} asks`]),
  );
  return ids[0] ?? '';
}

/** Two people write faster than the bot answers. */
async function writeFast({ discord, answers }: Scene, threadId: string): Promise<void> {
  for (let number = 1; number <= 6; number += 1)
    discord.people.say(number % 2 === 0 ? 'bob' : 'person0', threadId, `number ${number}`);
  const said = await answers(threadId, 8);
  expect(said.slice(2).map((text) => text.replace(/^\d+: /, ''))).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `${number % 2 === 0 ? 'bob' : 'person0'}: number ${number}`),
  );
}

/** The bot ends in the middle of an answer, and another process goes on. */
async function restart(scene: Scene, threadId: string): Promise<void> {
  const { discord, lmStudio, answers } = scene;
  const held = lmStudio.holdNext();
  discord.people.say('bob', threadId, 'before the restart');
  await held.arrived;
  const stopped = scene.stop();
  held.release();
  await stopped;
  discord.people.say('person0', threadId, 'while it was away');
  await scene.start();
  await answers(threadId, 10);
  discord.people.say('bob', threadId, 'after the restart');
  await answers(threadId, 11);

  const input = lmStudio.inputs().at(-1) ?? '';
  expect(input).toMatch(/^user: person0: person0 asks\nassistant: 1: person0: person0 asks\n/);
  expect(input.split('\n').slice(-4)).toEqual([
    expect.stringMatching(/^assistant: \d+: bob: before the restart$/),
    'user: person0: while it was away',
    expect.stringMatching(/^assistant: \d+: person0: while it was away$/),
    'user: bob: after the restart',
  ]);
}

/** A thread grows far beyond the budget while the bot is away for more than a day. */
async function talkForLong(scene: Scene, threadId: string): Promise<void> {
  const { discord, lmStudio, answers } = scene;
  await scene.stop();
  discord.people.fill(threadId, 1_000, { text: (index) => `long ${index} ${'x'.repeat(90)}` });
  scene.clock.advance(25 * 60 * 60_000);
  await scene.start();
  discord.people.say('bob', threadId, 'at the end');
  await answers(threadId, 12);

  const input = lmStudio.inputs().at(-1) ?? '';
  const lines = input.split('\n');
  expect(input.length).toBeLessThanOrEqual(20_000);
  expect(lines.length).toBeGreaterThan(150);
  expect(lines).toEqual([
    ...Array.from({ length: lines.length - 1 }, (_, index) =>
      expect.stringMatching(new RegExp(`^user: alice: long ${1_001 - lines.length + index} x{90}$`)),
    ),
    'user: bob: at the end',
  ]);
}

async function talkWithoutThreads({ discord, answers }: Scene): Promise<void> {
  const { people } = discord;
  const directId = people.openDirect('alice');
  const voiceId = discord.addChannel('voice', 'voice');
  discord.revoke('CreatePublicThreads');
  const threads = discord.threads().length;
  for (const id of [directId, voiceId, discord.generalId]) {
    const question = people.say('alice', id, 'no thread here', { mention: true });
    expect(await answers(id, 1)).toEqual(['1: alice: no thread here']);
    expect(discord.lastMessages(id, 1)[0]?.message_reference?.message_id).toBe(question.id);
  }
  expect(discord.threads()).toHaveLength(threads);
}

/** The acceptance criteria of the seed in one life of a server. @see seed 003 §2.4 */
describe('a server on which everything happens', () => {
  it.each(['off', 'gateway'])(
    'has its threads, its answers and its history through a reload and a restart, history cache %s [TC-A1, TC-A2, TC-A3, TC-A4, TC-A5, TC-2, TC-3, TC-15, TC-59, NX-12]',
    async (HISTORY_CACHE) => {
      await using scene = await startScene({
        environment: { HISTORY_CACHE },
        lmStudio: { script: answerFrom },
      });
      const threadId = await talkInTwentyThreads(scene);
      await writeFast(scene, threadId);
      await restart(scene, threadId);
      await talkForLong(scene, threadId);
      await talkWithoutThreads(scene);
      await scene.stop();

      const { requests } = scene.lmStudio;
      const asked = requests.filter(({ input }) => input !== null);
      expect(asked).toHaveLength(40 + 6 + 3 + 1 + 3);
      expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('previous_response_id');
      expect(scene.log.filter(({ message }) => message === 'answered message')).toHaveLength(asked.length);
      expect(scene.log.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});
