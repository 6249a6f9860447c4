import { describe, expect, it } from 'vitest';
import { isNotice } from '../src/history/notice-marker.ts';
import { textsEn } from '../src/texts/texts-en.ts';
import { textsJa } from '../src/texts/texts-ja.ts';
import { startScene } from './bot/start-scene.ts';
import type { LmMisbehaviour } from './lm-studio/index.ts';

const visible = (text: string): string => text.replace(/[\u200b\u2060]/g, '');

describe('where Discord does not let the bot', () => {
  it('answers with a reply where it may make no threads, and logs why [TC-16, TC-T8, TC-42, TC-47, TC-A5]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'here then' } });
    const { discord } = scene;
    discord.revoke('CreatePublicThreads');
    const question = discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(discord.generalId, 1)).toEqual(['here then']);
    expect(discord.lastMessages(discord.generalId, 1)[0]?.message_reference?.message_id).toBe(question.id);
    expect(scene.log.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'no thread for this message; answering with a reply',
      fields: {
        kind: 'discord-permission',
        operation: 'open-thread',
        status: 403,
        messageId: question.id,
        threadId: discord.generalId,
      },
    });
  });

  it('makes no thread in which it could not speak [TC-16]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'here then' } });
    scene.discord.revoke('SendMessagesInThreads');
    scene.discord.people.say('alice', scene.discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(scene.discord.generalId, 1)).toEqual(['here then']);
    expect(scene.discord.threads()).toEqual([]);
  });

  it('answers nowhere when the question is deleted before it has its thread [TC-4, TC-16]', async () => {
    await using scene = await startScene();
    const { discord, lmStudio } = scene;
    const held = discord.holdNext('POST /channels/:channel/messages/:message/threads');
    const question = discord.people.say('alice', discord.generalId, 'a slip', { mention: true });
    await held.arrived;
    discord.people.delete(question);
    held.release();
    const next = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(next.id, 1);
    await scene.stop();

    expect(await scene.answers(discord.generalId, 0)).toEqual([]);
    expect(lmStudio.inputs()).toEqual(['user: alice: hello']);
    expect(
      scene.log.filter(({ fields }) => fields.messageId === question.id).map(({ message }) => message),
    ).toContain('not answered, because the message was deleted');
  });

  it('answers in the thread that somebody else made of the message meanwhile [TC-4, TC-28]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'found it' } });
    const { discord } = scene;
    discord.failNext('POST /channels/:channel/messages/:message/threads', 400, { code: 160_004 });
    const held = discord.holdNext('POST /channels/:channel/messages/:message/threads');
    const question = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    discord.people.startThread('bob', discord.generalId, { title: 'mine', messageId: question.id });
    held.release();

    expect(await scene.answers(question.id, 1)).toEqual(['found it']);
    expect(discord.threads()).toMatchObject([{ id: question.id, name: 'mine' }]);
  });

  it('tells the author in private where it may not write at all, without asking the model [TC-16, TC-47]', async () => {
    await using scene = await startScene();
    const { discord, lmStudio } = scene;
    discord.revoke('SendMessages');
    discord.revoke('SendMessagesInThreads');
    const question = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    const directId = discord.people.openDirect('alice');

    const [told = ''] = await scene.answers(directId, 1);
    expect(visible(told)).toBe(textsEn.cannotPost(discord.generalId));
    expect(lmStudio.inputs()).toEqual([]);
    expect(scene.log.find(({ level }) => level === 'error')).toMatchObject({
      message: 'could not answer',
      fields: { kind: 'discord-permission', operation: 'post', messageId: question.id },
    });
  });

  it('stops there when the author takes no messages either [TC-16]', async () => {
    await using scene = await startScene();
    const { discord } = scene;
    discord.revoke('SendMessages');
    discord.revoke('SendMessagesInThreads');
    discord.people.closeDirect('alice');
    discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await discord.until(() => discord.countRequests('POST /channels/:channel/messages') === 1);
    await scene.stop();

    expect(scene.log.map(({ message }) => message)).toContain('could not tell the author why');
  });

  it('replies without a reference where it may not read the history [TC-A5]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'here then' } });
    const { discord } = scene;
    discord.revoke('CreatePublicThreads');
    discord.revoke('ReadMessageHistory');
    discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(discord.generalId, 1)).toEqual(['here then']);
  });
});

describe('when the history cannot be read', () => {
  it('answers with the pages that came, and logs what failed [TC-17, TC-T9, TC-42, TC-47]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });
    await scene.answers(threadId, 1);
    discord.people.fill(threadId, 150);
    const held = discord.holdNext('GET /channels/:channel/messages', 'after');
    const question = discord.people.say('alice', threadId, 'now?');
    await held.arrived;
    discord.failNext('GET /channels/:channel/messages', 500);
    held.release();
    await scene.answers(threadId, 2);

    const lines = lmStudio.inputs().at(-1)?.split('\n') ?? [];
    // The page that came, and the message that the thread was made from.
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe('user: alice: first');
    expect(lines.at(-1)).toBe('user: alice: now?');
    expect(scene.log.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'could not read the whole history',
      fields: {
        kind: 'discord-temporary',
        status: 500,
        operation: 'read-history',
        threadId,
        messageId: question.id,
      },
    });
  });

  it('answers the message alone when not even the first page comes [TC-17, TC-T9]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });
    await scene.answers(threadId, 1);
    discord.failNext('GET /channels/:channel/messages', 500);
    discord.failNext('GET /channels/:channel/messages/:message', 500);
    discord.people.say('alice', threadId, 'now?');
    await scene.answers(threadId, 2);

    expect(lmStudio.inputs().at(-1)).toBe('user: alice: now?');
  });

  it('does not take a history that it may not read for an empty one [TC-17, TC-42]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.revoke('ReadMessageHistory');
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });

    expect(await scene.answers(threadId, 1)).toEqual(['ok']);
    expect(scene.log.find(({ level }) => level === 'warn')).toMatchObject({
      fields: { kind: 'discord-permission', operation: 'read-history' },
    });
  });

  it('leaves the waiting for rate limits to the library [TC-20, TC-43]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.limitNext('POST /channels/:channel/messages', { retryAfterMs: 20 });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });

    expect(await scene.answers(threadId, 1)).toEqual(['ok']);
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(2);
  });
});

describe('when the model does not answer', () => {
  const failures: readonly (readonly [string, LmMisbehaviour, keyof typeof textsEn.fallback])[] = [
    ['breaks the connection', { kind: 'reset', at: 'headers' }, 'model-unreachable'],
    ['breaks off in the middle', { kind: 'reset', at: 'body' }, 'model-unreachable'],
    ['answers with an error', { kind: 'status', status: 500 }, 'model-status'],
    ['sends a page', { kind: 'not-json' }, 'model-unreadable'],
    ['sends something else', { kind: 'wrong-shape' }, 'model-unreadable'],
    ['says that it failed', { kind: 'failed', message: 'hello: quoted' }, 'model-failed'],
  ];

  it.each(failures)(
    'says so when it %s, and asks once [TC-44, TC-T10, TC-42, TC-43, TC-47]',
    async (_, how, code) => {
      await using scene = await startScene();
      const { discord, lmStudio } = scene;
      lmStudio.misbehave(how);
      const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
      const [said = ''] = await scene.answers(threadId, 1);

      expect(visible(said)).toBe(textsEn.fallback[code]);
      expect(lmStudio.inputs()).toHaveLength(1);
      expect(scene.log.find(({ level }) => level === 'error')).toMatchObject({
        message: 'the model did not answer',
        fields: { kind: code, threadId, messageId: threadId, status: code === 'model-status' ? 500 : null },
      });
      expect(JSON.stringify(scene.log)).not.toContain('hello');
    },
  );

  it.each(['headers', 'body'] as const)(
    'gives up after 30 s, also when only the %s hang [TC-45, TC-44]',
    async (at) => {
      await using scene = await startScene();
      const { discord, lmStudio, clock } = scene;
      lmStudio.misbehave({ kind: 'hang', at });
      const { id: threadId } = discord.people.say('alice', discord.generalId, '遅いね', { mention: true });
      await lmStudio.until(() => lmStudio.inputs().length === 1);
      clock.advance(29_999);
      await discord.until(() => discord.countRequests('POST /channels/:channel/typing') > 3);
      expect(discord.countRequests('POST /channels/:channel/messages')).toBe(0);
      clock.advance(1);
      const [said = ''] = await scene.answers(threadId, 1);

      expect(visible(said)).toBe(textsJa.fallback['model-timeout']);
      await lmStudio.until(() => lmStudio.requests.some(({ state }) => state === 'abandoned'));
    },
  );

  it('keeps such notices out of what the model is told later, also after a restart [TC-44, TC-37]', async () => {
    await using scene = await startScene({
      lmStudio: { script: () => 'ok' },
      environment: { FALLBACK_STATUS: 'ごめんなさい。' },
    });
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'status', status: 503 });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    const [notice = ''] = await scene.answers(threadId, 1);
    await scene.stop();
    await scene.start();
    discord.people.say('alice', threadId, 'two');
    await scene.answers(threadId, 2);

    expect(isNotice(notice)).toBe(true);
    expect(visible(notice)).toBe('ごめんなさい。');
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: one\nuser: alice: two');
  });

  it('says that an answer is empty, or that it is cut off [TC-44]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'a long answer' } });
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'no-output' });
    lmStudio.misbehave({ kind: 'incomplete', reason: 'max_output_tokens' });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    discord.people.say('alice', threadId, 'two');

    expect((await scene.answers(threadId, 3)).map(visible)).toEqual(
      [textsEn.emptyAnswer, 'a long ', textsEn.cutOff].map((text) => text.trim()),
    );
  });

  it('asks what is wanted when a mention says nothing [TC-39, TC-48]', async () => {
    await using scene = await startScene();
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, '', { mention: true });
    const [said = ''] = await scene.answers(threadId, 1);

    expect(visible(said)).toBe(textsEn.askForQuestion);
    expect(discord.threads()).toMatchObject([{ name: 'suzume: conversation' }]);
    expect(lmStudio.inputs()).toEqual([]);
  });
});
