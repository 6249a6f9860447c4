import { markUnfinished } from '@agent/thread-context/chat';
import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { type Scene, startScene } from './bot/start-scene.ts';

const visible = (text: string | undefined): string => (text ?? '').replace(/[\u200b-\u200d\u2060]/g, '');
const lastLine = (input: string): string => `re ${input.split('\n').at(-1)}`;
const minutes = 60_000;

/** A bot that was once asked something and answered. */
async function startAnswered(environment: Record<string, string> = {}) {
  const scene = await startScene({
    environment: { LOCALE: 'en', ...environment },
    lmStudio: { script: lastLine },
  });
  const { discord } = scene;
  const { id } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
  await scene.answers(id, 1);
  return { scene, discord, lmStudio: scene.lmStudio, threadId: id };
}

/** Ends the bot as if it had been killed: what is under way ends where it is. */
async function breakOff({ stop, clock }: Scene): Promise<void> {
  const stopped = stop();
  await clock.untilWaiting(10_000);
  clock.advance(10_000);
  await stopped;
}

describe('what was taken and not answered', () => {
  it('is answered by the next start: in hand, waiting, and in the thread that was just made [NX-102]', async () => {
    const { scene, discord, lmStudio, threadId } = await startAnswered();
    await using _ = scene;
    const held = [lmStudio.holdNext(), lmStudio.holdNext()];
    discord.people.say('alice', threadId, 'two');
    const { id: newId } = discord.people.say('bob', discord.generalId, 'new', { mention: true });
    await Promise.all(held.map(({ arrived }) => arrived));
    for (const text of ['three', 'four']) discord.people.say('bob', threadId, text);
    await discord.until(
      () => discord.countRequests('PUT /channels/:channel/messages/:message/reactions/:emoji/@me') === 5,
    );
    await breakOff(scene);
    expect(await scene.answers(threadId, 1)).toHaveLength(1);
    await scene.start();

    expect(await scene.answers(threadId, 4)).toEqual([
      're user: alice: one',
      're user: alice: two',
      're user: bob: three',
      're user: bob: four',
    ]);
    expect(await scene.answers(newId, 1)).toEqual(['re user: bob: new']);
    await scene.stop();
    await scene.start();
    discord.people.say('alice', threadId, 'five');
    expect(await scene.answers(threadId, 5)).toHaveLength(5);
  });

  it('is answered by the next start in the thread that somebody made of it [NX-102]', async () => {
    const { scene, discord, lmStudio } = await startAnswered();
    await using _ = scene;
    const held = lmStudio.holdNext();
    const { id } = discord.people.say('alice', discord.generalId, 'two', { mention: true });
    discord.people.startThread('bob', discord.generalId, { title: 'Greetings', messageId: id });
    await held.arrived;
    await breakOff(scene);
    await scene.start();

    expect(await scene.answers(id, 1)).toEqual(['re user: alice: two']);
  });

  it('becomes whole in its own messages when it was left half [NX-104]', async () => {
    const first = Promise.withResolvers<void>();
    await using scene = await startScene({
      environment: { STREAM: 'true', LM_TIMEOUT_SECONDS: '30' },
      lmStudio: {
        script: () => 'one two',
        pace: (number) => (number === 0 ? Promise.resolve() : first.promise),
      },
    });
    const { discord, clock } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'count', { mention: true });
    await discord.until(() => visible(last(scene, id)) === 'one\n⏳');
    await breakOff(scene);
    expect(visible(last(scene, id))).toBe('one\n⏳');
    first.resolve();
    await scene.start();
    // Another process may be at work on it, for as long as an answer may take.
    await clock.untilWaiting(25_000);
    expect(visible(last(scene, id))).toBe('one\n⏳');
    while (visible(last(scene, id)) !== 'one two') {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
  });

  it('loses its marks when it was whole and the bot had no time to take them off [NX-104]', async () => {
    const { scene, discord, threadId } = await startAnswered();
    await using _ = scene;
    await scene.stop();
    const { id: replyTo } = discord.people.say('alice', threadId, 'two');
    const first = discord.people.say('suzume', threadId, markUnfinished('half', { key: 1 }), { replyTo });
    discord.people.say('suzume', threadId, 'and half', { replyTo: first.id });
    await scene.start();

    expect(await scene.answers(threadId, 3)).toEqual(['re user: alice: one', 'half', 'and half']);
  });

  it('in direct messages, which cannot be listed, is found when the person writes again [NX-102]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const directId = discord.people.openDirect('alice');
    const held = lmStudio.holdNext();
    discord.people.say('alice', directId, 'lost');
    await held.arrived;
    await breakOff(scene);
    await scene.start();
    discord.people.say('alice', directId, 'again');

    const texts = await scene.answers(directId, 2);
    expect([...texts].sort()).toEqual(['re user: alice: again', 're user: alice: lost']);
  });
});

function last({ discord }: Scene, id: string): string | undefined {
  return discord.threads().some((thread) => thread.id === id)
    ? discord.lastMessages(id, 1)[0]?.content
    : undefined;
}

describe('what was said while the bot was away', () => {
  it('is answered as far as so much may wait; the rest is told in one notice [NX-102]', async () => {
    const { scene, discord, threadId } = await startAnswered({ MAX_WAITING_PER_THREAD: '2' });
    await using _ = scene;
    await scene.stop();
    discord.people.fill(threadId, 700);
    await scene.start();

    expect((await scene.answers(threadId, 5)).map(visible).sort()).toEqual(
      [697, 698, 699]
        .map((number) => `re user: alice: message ${number}`)
        .concat('re user: alice: one', textsEn.notAnswered(497))
        .sort(),
    );
    expect(discord.countRequests('GET /channels/:channel/messages')).toBeLessThan(15);
  });

  it('is answered when it is young, else told once in its place [NX-102]', async () => {
    const { scene, discord, threadId } = await startAnswered();
    await using _ = scene;
    await scene.stop();
    discord.people.say('alice', threadId, 'long ago');
    const old = discord.people.say('bob', threadId, 'a while ago');
    scene.clock.advance(61 * minutes);
    discord.people.say('alice', threadId, 'just now');
    const { id: newId } = discord.people.say('carol', discord.generalId, 'called', { mention: true });
    discord.people.say('dave', discord.generalId, 'called nobody');
    await scene.start();

    const texts = await scene.answers(threadId, 3);
    expect(texts.map(visible).sort()).toEqual(
      ['re user: alice: one', 're user: alice: just now', textsEn.notAnswered(2)].sort(),
    );
    const notice = discord
      .lastMessages(threadId)
      .find(({ content }) => visible(content) === textsEn.notAnswered(2));
    expect(notice?.message_reference?.message_id).toBe(old.id);
    expect(await scene.answers(newId, 1)).toEqual(['re user: carol: called']);

    await scene.stop();
    await scene.start();
    discord.people.say('alice', threadId, 'and now');
    expect(await scene.answers(threadId, 4)).toHaveLength(4);
    expect(await scene.answers(discord.generalId, 0)).toEqual([]);
  });

  it('is neither answered nor told with CATCH_UP_MINUTES=0 [NX-102]', async () => {
    const { scene, discord, threadId } = await startAnswered({ CATCH_UP_MINUTES: '0' });
    await using _ = scene;
    await scene.stop();
    discord.people.say('alice', threadId, 'while away');
    await scene.start();
    discord.people.say('alice', threadId, 'and now');

    expect(await scene.answers(threadId, 2)).toEqual(['re user: alice: one', 're user: alice: and now']);
  });

  it('is answered after a session that Discord ended, as after a start [NX-102]', async () => {
    const { scene, discord, threadId } = await startAnswered();
    await using _ = scene;
    discord.invalidateSessions();
    discord.people.say('alice', threadId, 'in the gap');
    discord.dropGateway();

    expect(await scene.answers(threadId, 2)).toEqual(['re user: alice: one', 're user: alice: in the gap']);
  });

  it('is not answered where an own message that refers to nothing follows it [NX-102]', async () => {
    const { scene, discord, threadId } = await startAnswered();
    await using _ = scene;
    await scene.stop();
    discord.people.say('alice', threadId, 'two');
    discord.people.say('suzume', threadId, 'an answer to two');
    discord.people.say('alice', threadId, 'three');
    await scene.start();

    expect(await scene.answers(threadId, 3)).toEqual([
      're user: alice: one',
      'an answer to two',
      're user: alice: three',
    ]);
  });

  it('stays refused when too much waited [NX-102]', async () => {
    const { scene, discord, lmStudio, threadId } = await startAnswered({ MAX_WAITING_PER_THREAD: '1' });
    await using _ = scene;
    const held = lmStudio.holdNext();
    discord.people.say('alice', threadId, 'two');
    await held.arrived;
    for (const text of ['three', 'four', 'five']) discord.people.say('alice', threadId, text);
    held.release();
    await scene.answers(threadId, 4);
    await discord.until(
      () =>
        discord.lastMessages(threadId).filter((message) => message.reactions?.[0]?.emoji.name === '🚫')
          .length === 2,
    );
    await scene.stop();
    await scene.start();
    discord.people.say('alice', threadId, 'six');

    const texts = (await scene.answers(threadId, 5)).map(visible);
    expect(texts).toContain(textsEn.queueFull(1));
    expect(texts.at(-1)).toBe('re user: alice: six');
    expect(texts).toHaveLength(5);
  });
});
