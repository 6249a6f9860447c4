import { describe, expect, it } from 'vitest';
import { BotError } from '../src/bot-error.ts';
import { textsEn } from '../src/texts/texts.en.ts';
import { startScene } from './bot/start-scene.ts';

const visible = (text: string | undefined): string => (text ?? '').replace(/[\u200b\u2060]/g, '');

describe('what the model is asked', () => {
  it.each(['false', 'true'])(
    'carries instructions, temperature and length, and is never stored, streamed: %s [NX-66]',
    async (stream) => {
      await using scene = await startScene({
        lmStudio: { script: () => 'ok' },
        environment: {
          INSTRUCTIONS: 'Answer in one sentence.',
          LM_TEMPERATURE: '0.2',
          LM_MAX_TOKENS: '300',
          STREAM: stream,
        },
      });
      const { discord, lmStudio, clock } = scene;
      const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
      if (stream === 'true') {
        await clock.untilWaiting(1_000);
        clock.advance(1_000);
      }
      await scene.answers(id, 1);
      expect(lmStudio.inputs()).toHaveLength(1);

      for (const { body } of lmStudio.requests) {
        expect(body).toMatchObject({
          instructions: 'Answer in one sentence.',
          temperature: 0.2,
          max_output_tokens: 300,
          store: false,
        });
        expect(body).not.toHaveProperty('previous_response_id');
        expect(body).not.toHaveProperty('conversation');
      }
    },
  );

  it.each(['false', 'true'])(
    'is answered within a length, and people are told that it was cut, streamed: %s [NX-66]',
    async (stream) => {
      await using scene = await startScene({
        lmStudio: { script: () => 'word '.repeat(stream === 'true' ? 20_000 : 600_000) },
        environment: { MAX_ANSWER_CHARS: '3000', STREAM: stream, LM_TIMEOUT_SECONDS: '3600' },
      });
      const { discord, clock } = scene;
      const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
      const posted = scene.answers(id, 3);
      const isPosted = posted.then(() => true);
      const isDue = () => clock.untilWaiting(1_000).then(() => false);
      while (!(await Promise.race(stream === 'true' ? [isPosted, isDue()] : [isPosted])))
        clock.advance(1_000);
      const answers = await posted;
      expect(answers.slice(0, 2).join(' ').length).toBeLessThanOrEqual(3_000);
      expect(visible(answers[2])).toBe(textsEn.cutOff);
      await scene.stop();
      expect(await scene.answers(id, 0)).toHaveLength(3);
    },
  );
});

describe('the allow lists', () => {
  it('answer nobody else, nowhere else, and say so in the log [NX-65]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const other = discord.addChannel('other');
    await scene.stop();
    await scene.start({
      ALLOWED_SERVERS: discord.guildId,
      ALLOWED_CHANNELS: discord.generalId,
      ALLOWED_PEOPLE: discord.people.user('alice').id,
    });
    const strangers = discord.people.say('mallory', discord.generalId, 'let me in', { mention: true });
    const elsewhere = discord.people.say('alice', other, 'and there', { mention: true });
    discord.people.say('mallory', discord.people.openDirect('mallory'), 'in private');
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(id, 1);
    discord.people.say('mallory', id, 'in her thread');
    discord.people.say('alice', discord.people.openDirect('alice'), 'direct');
    discord.people.say('alice', id, 'and now?');
    await scene.answers(id, 2);
    await scene.answers(discord.people.openDirect('alice'), 1);

    expect(lmStudio.inputs()).toHaveLength(3);
    expect(discord.threads().map((thread) => thread.id)).toEqual([id]);
    const refused = scene.log.filter(({ message }) => message.includes('allow list'));
    expect(refused).toHaveLength(4);
    expect(refused[0]?.fields).toEqual({
      messageId: strangers.id,
      threadId: discord.generalId,
      authorId: discord.people.user('mallory').id,
      serverId: discord.guildId,
    });
    expect(refused[1]?.fields).toMatchObject({ messageId: elsewhere.id });
    const reactions = discord.lastMessages(discord.generalId).filter((message) => message.reactions?.length);
    expect(reactions.map((message) => message.id)).toEqual([id]);
  });

  it('of another server close this one [NX-65]', async () => {
    await using scene = await startScene({ environment: { ALLOWED_SERVERS: '123456789012345678' } });
    const { discord, lmStudio } = scene;
    discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    // Nothing changes at Discord: the log alone tells.
    await expect.poll(() => scene.log.some(({ message }) => message.includes('allow list'))).toBe(true);
    await scene.stop();
    expect(lmStudio.requests).toEqual([]);
  });
});

describe('the bot of seed 003', () => {
  it('has its methods [TC-50, X10]', async () => {
    const { DiscordBot } = await import('../src/index.ts');
    for (const name of ['onMessageCreate', 'shouldHandle', 'ensureThread', 'postReply'] as const) {
      expect(typeof DiscordBot.prototype[name]).toBe('function');
    }
    expect(BotError.isInstance(new BotError('login', 'x'))).toBe(true);
  });
});
