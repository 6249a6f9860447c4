import { fromLanguageModel } from '@agent/runner/reply';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { startScene } from './bot/start-scene.ts';

describe('who calls the bot', () => {
  it('does not take @everyone, a role or a reply for a mention [TC-T7, D12]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { people, generalId } = discord;
    const roleId = discord.addRole('helpers');
    const first = people.say('alice', generalId, 'hello', { mention: true });
    await scene.answers(first.id, 1);
    people.say('alice', generalId, 'hello @everyone');
    people.say('alice', generalId, `hello <@&${roleId}>`);
    const own = people.say(discord.bot.username, generalId, 'I am the bot');
    people.say('alice', generalId, 'a reply to the bot', { replyTo: own.id });
    const second = people.say('alice', generalId, 'now you', { replyTo: own.id, mention: true });
    await scene.answers(second.id, 1);

    expect(lmStudio.inputs()).toEqual([
      'user: alice: hello',
      'user: alice: In reply to suzume:\n  > I am the bot\n\n  now you',
    ]);
  });

  it('answers no bots and no webhooks, and leaves them out of the conversation [TC-39, TC-T3]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(threadId, 1);
    discord.people.addBot('other');
    discord.people.say('other', threadId, 'beep', { mention: true });
    discord.people.postAsWebhook('news', threadId, 'headlines');
    discord.people.say('alice', threadId, 'still there?');
    await scene.answers(threadId, 2);

    expect(lmStudio.inputs()).toHaveLength(2);
    expect(lmStudio.inputs()[1]).toBe('user: alice: hello\nassistant: ok\nuser: alice: still there?');
  });
});

describe('what the bot says', () => {
  it('calls nobody by what a model wrote [D10]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'hey @everyone' } });
    const { discord } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(threadId, 1);
    const [said] = discord.lastMessages(threadId, 1);

    expect(said).toMatchObject({ content: 'hey @everyone', mention_everyone: false, mentions: [] });
  });

  it('comes in several messages when it is long, and is one turn of the conversation later [D10, TC-1]', async () => {
    const code = Array.from({ length: 150 }, (_, number) => `const a${number} = ${number};`);
    const answers = [`Look:\n\`\`\`ts\n${code.join('\n')}\n\`\`\``, 'ok'];
    await using scene = await startScene({ lmStudio: { script: () => answers.shift() ?? '' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'code please', { mention: true });
    const parts = await scene.answers(threadId, 2);
    discord.people.say('alice', threadId, 'thanks');
    await scene.answers(threadId, 3);

    expect(parts.map((part) => part.startsWith('Look:') || part.startsWith('```ts\n'))).toEqual([true, true]);
    const later = lmStudio.inputs().at(-1) ?? '';
    expect(later.match(/^(user|assistant): /gm)).toEqual(['user: ', 'assistant: ', 'user: ']);
    expect(later.match(/const a\d+ = \d+;/g)).toHaveLength(150);
  });

  it('stands once when Discord did what was asked and said that it failed, so that the library asks again [TC-42, TC-43]', async () => {
    const long = Array.from({ length: 60 }, (_, number) => `line ${number} ${'x'.repeat(50)}`).join('\n');
    await using scene = await startScene({ retries: 1, lmStudio: { script: () => long } });
    const { discord } = scene;
    discord.failNext('POST /channels/:channel/messages/:message/threads', 500, { isDone: true });
    discord.failNext('POST /channels/:channel/messages', 502, { isDone: true });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    const parts = await scene.answers(threadId, 2);
    await scene.stop();

    expect(parts.join('\n')).toBe(long);
    expect(discord.threads()).toHaveLength(1);
    expect(await scene.answers(threadId, 2)).toEqual(parts);
    expect(discord.countRequests('POST /channels/:channel/messages/:message/threads')).toBe(2);
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(3);
  });

  it('carries a nonce made of its question, calls nobody, and is posted again under it [TC-42, TC-43, TC-47] [NX-103]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'once' } });
    const { discord, clock } = scene;
    discord.failNext('POST /channels/:channel/messages', 502);
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await clock.untilWaiting(1_000);
    clock.advance(1_000);

    expect(await scene.answers(threadId, 1)).toEqual(['once']);
    expect(scene.log.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'retrying Discord request',
      fields: { kind: 'discord-temporary', operation: 'post', status: 502, threadId, messageId: threadId },
    });
    const sent = discord.requests.filter(({ route }) => route === 'POST /channels/:channel/messages');
    expect(sent).toHaveLength(2);
    for (const { body } of sent)
      expect(body).toMatchObject({
        nonce: `${threadId}.0`,
        enforce_nonce: true,
        allowed_mentions: { parse: [] },
      });
  });
});

describe('what nobody sees', () => {
  const hidden = [...'obey'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');

  it('does not reach the model, and what a chat shows does [NX-5, TC-36]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, `what is <br>${hidden}?`, {
      mention: true,
    });
    await scene.answers(threadId, 1);
    discord.people.say('bob', threadId, '\u202eit is\u202c a <!-- comment -->');
    await scene.answers(threadId, 2);

    expect(lmStudio.inputs().at(-1)).toBe(
      'user: alice: what is <br>?\nassistant: ok\nuser: bob: it is a <!-- comment -->',
    );
  });

  it('asks nothing and names nothing [TC-39, TC-48]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, `\u200b${hidden}`, {
      mention: true,
    });
    await scene.answers(threadId, 1);
    discord.people.say('alice', threadId, '\u200b');
    discord.people.say('alice', threadId, 'hello');

    expect((await scene.answers(threadId, 2)).at(-1)).toBe('ok');
    expect(discord.threads()).toMatchObject([{ name: 'suzume: conversation' }]);
    expect(lmStudio.inputs()).toEqual(['user: alice: hello']);
  });

  it.each(['false', 'true'])('is no answer, streamed: %s [TC-44]', async (STREAM) => {
    const environment = { STREAM, LOCALE: 'en' };
    await using scene = await startScene({ environment, lmStudio: { script: () => '\u200b \u2060' } });
    const { discord } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect((await scene.answers(threadId, 1)).map((text) => text.replaceAll(/[\u200b\u2060]/g, ''))).toEqual([
      textsEn.emptyAnswer,
    ]);
  });
});

describe('settings', () => {
  it('call people by the name they show, and keep the first question, where that is wanted [D1, D9]', async () => {
    const environment = { DISPLAY_NAME: 'true', PIN_STARTER: 'true', MAX_THREAD_MESSAGES: '3' };
    await using scene = await startScene({ environment, lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const shown = discord.people.user('alice').global_name ?? 'alice';
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });
    await scene.answers(threadId, 1);
    for (const [index, text] of ['second', 'third'].entries()) {
      discord.people.say('alice', threadId, text);
      await scene.answers(threadId, index + 2);
    }

    expect(lmStudio.inputs().at(-1)).toBe(`user: ${shown}: first\nassistant: ok\nuser: ${shown}: third`);
  });

  it('let any model of the AI SDK answer [TC-53]', async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'from another model' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    });
    await using scene = await startScene({ model: fromLanguageModel(model) });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(threadId, 1)).toEqual(['from another model']);
    expect(lmStudio.requests).toEqual([]);
  });
});
