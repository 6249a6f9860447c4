import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { startScene } from './bot/start-scene.ts';

const lastLine = (input: string): string => `re ${input.split('\n').at(-1)}`;

describe('messages that come fast', () => {
  it.each(['off', 'gateway'])(
    'are answered one by one in their thread, each after the answer before, history cache %s [TC-59, TC-1, D8]',
    async (cache) => {
      await using scene = await startScene({
        lmStudio: { script: lastLine },
        environment: { HISTORY_CACHE: cache },
      });
      const { discord, lmStudio } = scene;
      const held = lmStudio.holdNext();
      const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
      await held.arrived;
      discord.people.say('alice', threadId, 'two');
      discord.people.say('bob', threadId, 'three');
      held.release();

      expect(await scene.answers(threadId, 3)).toEqual([
        're user: alice: one',
        're user: alice: two',
        're user: bob: three',
      ]);
      expect(lmStudio.inputs()[1]).toBe('user: alice: one\nassistant: re user: alice: one\nuser: alice: two');
      expect(lmStudio.inputs()[2]).toMatchInlineSnapshot(`
      "user: alice: one
      user: alice: two
      assistant: re user: alice: one
        re user: alice: two
      user: bob: three"
    `);
    },
  );

  it('are still answered when more was written after them than a page of history holds [TC-59, TC-A3, D8]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const held = lmStudio.holdNext();
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    discord.people.say('bob', threadId, 'two');
    discord.people.fill(threadId, 120);
    held.release();

    expect(await scene.answers(threadId, 2)).toEqual(['re user: alice: one', 're user: bob: two']);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: one\nassistant: re user: alice: one\nuser: bob: two');
  });

  it('are not answered when they are deleted before their turn, and reach no model [TC-59, TC-1, TC-2]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const held = lmStudio.holdNext();
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    const slip = discord.people.say('alice', threadId, 'a slip');
    const others = ['two', 'three'].map((text) => discord.people.say('bob', threadId, text));
    discord.people.delete(slip);
    discord.people.edit(others[1] ?? slip, 'three, mended');
    discord.people.say('alice', discord.generalId, 'heard after it', { mention: true });
    await lmStudio.until(() => lmStudio.inputs().length === 2);
    held.release();

    expect(await scene.answers(threadId, 3)).toEqual([
      're user: alice: one',
      're user: bob: two',
      're user: bob: three, mended',
    ]);
    expect(lmStudio.inputs().join()).not.toContain('slip');
    expect(
      scene.log.filter(({ fields }) => fields.messageId === slip.id).map(({ message }) => message),
    ).toContain('skipped message: deleted');
  });

  it('are answered side by side in twenty threads, four at a time [TC-59]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const held = Array.from({ length: 4 }, () => lmStudio.holdNext());
    const ids = Array.from(
      { length: 20 },
      (_, number) =>
        discord.people.say(`user${number}`, discord.generalId, `question ${number}`, { mention: true }).id,
    );
    await Promise.all(held.map(({ arrived }) => arrived));
    await discord.until(() => discord.threads().length === 20);
    expect(lmStudio.inputs()).toHaveLength(4);
    for (const { release } of held) release();

    for (const [number, id] of ids.entries()) {
      expect(await scene.answers(id, 1)).toEqual([`re user: user${number}: question ${number}`]);
    }
  });

  it('are refused with a word when too many wait in a thread, once [TC-59]', async () => {
    await using scene = await startScene({
      lmStudio: { script: lastLine },
      environment: { MAX_WAITING_PER_THREAD: '1' },
    });
    const { discord, lmStudio } = scene;
    const held = lmStudio.holdNext();
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    for (const text of ['two', 'three', 'four']) discord.people.say('alice', threadId, text);
    const [notice = ''] = await scene.answers(threadId, 1);
    held.release();
    const answers = await scene.answers(threadId, 3);
    await scene.stop();

    expect(notice.replace(/[\u200b\u2060]/g, '')).toBe(textsEn.queueFull(1));
    expect(answers.slice(1)).toEqual(['re user: alice: one', 're user: alice: two']);
    expect(await scene.answers(threadId, 3)).toHaveLength(3);
  });
});

describe('when the bot is told to stop', () => {
  it('finishes the answer under way and begins nothing new [TC-59]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const held = lmStudio.holdNext();
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    discord.people.say('alice', threadId, 'waits');
    await discord.until(
      () => discord.countRequests('PUT /channels/:channel/messages/:message/reactions/:emoji/@me') === 2,
    );
    const stopped = scene.stop();
    discord.people.say('bob', discord.generalId, 'too late', { mention: true });
    held.release();
    await stopped;

    expect(await scene.answers(threadId, 1)).toEqual(['re user: alice: one']);
    expect(lmStudio.inputs()).toHaveLength(1);
    expect(discord.threads()).toHaveLength(1);
  });

  it('breaks off after ten seconds what does not end [TC-45]', async () => {
    await using scene = await startScene();
    const { discord, lmStudio, clock } = scene;
    lmStudio.misbehave({ kind: 'hang', at: 'headers' });
    discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await lmStudio.until(() => lmStudio.inputs().length === 1);
    const stopped = scene.stop();
    clock.advance(10_000);
    await stopped;

    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(0);
    await lmStudio.until(() => lmStudio.requests.some(({ state }) => state === 'abandoned'));
  });
});
