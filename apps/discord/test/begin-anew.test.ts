import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { textsJa } from '../src/texts/texts.ja.ts';
import { startScene } from './bot/start-scene.ts';

const visible = (text: string | undefined): string => (text ?? '').replace(/[\u200b\u2060]/g, '');

describe('/new', () => {
  it.each([false, true])(
    'begins anew in a thread, mention or not (%s), also after a restart [NX-67]',
    async (mention) => {
      await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
      const { discord, lmStudio } = scene;
      const { id } = discord.people.say('alice', discord.generalId, 'the first secret', { mention: true });
      await scene.answers(id, 1);
      discord.people.say('alice', id, '/new', { mention });
      expect(visible((await scene.answers(id, 2)).at(-1))).toBe(textsEn.begunAnew);
      expect(lmStudio.inputs()).toHaveLength(1);
      discord.people.say('bob', id, 'what was said?');
      await scene.answers(id, 3);
      expect(lmStudio.inputs().at(-1)).toBe('user: bob: what was said?');

      await scene.stop();
      await scene.start({ PIN_STARTER: 'true' });
      discord.people.say('alice', id, 'and now?');
      await scene.answers(id, 4);
      expect(lmStudio.inputs().at(-1)).toBe(
        'user: bob: what was said?\nassistant: ok\nuser: alice: and now?',
      );
    },
  );

  it.each(['off', 'gateway'])(
    'leaves an answer that was under way out of what follows, history cache %s [NX-67]',
    async (cache) => {
      await using scene = await startScene({
        lmStudio: { script: (input) => `answer to ${input.split('\n').at(-1)}` },
        environment: { HISTORY_CACHE: cache },
      });
      const { discord, lmStudio } = scene;
      const held = lmStudio.holdNext();
      const { id } = discord.people.say('alice', discord.generalId, 'old', { mention: true });
      await held.arrived;
      discord.people.say('alice', id, '/new');
      discord.people.say('alice', id, 'one');
      discord.people.say('alice', id, 'two');
      held.release();
      await scene.answers(id, 4);

      expect(lmStudio.inputs()).toEqual([
        'user: alice: old',
        'user: alice: one',
        'user: alice: one\nassistant: answer to user: alice: one\nuser: alice: two',
      ]);
    },
  );

  it('is a message of its own, of a person, and answered in Japanese too [NX-67]', async () => {
    await using scene = await startScene({
      lmStudio: { script: () => '/new' },
      environment: { LOCALE: 'ja' },
    });
    const { discord, lmStudio } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(id, 1);
    discord.people.postAsWebhook('hook', id, '/new');
    discord.people.say('alice', id, 'I said /new, did I?');
    await scene.answers(id, 2);
    expect(lmStudio.inputs().at(-1)).toContain('user: alice: hello');
    discord.people.say('alice', id, '/new');
    expect(visible((await scene.answers(id, 3)).at(-1))).toBe(textsJa.begunAnew);
  });
});
