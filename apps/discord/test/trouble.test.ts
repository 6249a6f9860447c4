import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { startScene } from './bot/start-scene.ts';

const visible = (text: string): string => text.replace(/[\u200b\u2060]/g, '');

describe('where Discord does not let the bot', () => {
  it('answers with a reply where it may make no threads, logs why, and makes threads again once it may [TC-16, TC-T8, TC-42, TC-47, TC-57, TC-A5, D6]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'here then' } });
    const { discord } = scene;
    discord.revoke('CreatePublicThreads');
    const question = discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(discord.generalId, 1)).toEqual(['here then']);
    expect(discord.lastMessages(discord.generalId, 1)[0]?.message_reference?.message_id).toBe(question.id);
    expect(scene.log.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'failed to create thread; replying in channel',
      fields: {
        kind: 'discord-permission',
        operation: 'open-thread',
        status: 403,
        messageId: question.id,
        threadId: discord.generalId,
      },
    });

    discord.grant('CreatePublicThreads');
    const next = discord.people.say('alice', discord.generalId, 'and now', { mention: true });
    expect(await scene.answers(next.id, 1)).toEqual(['here then']);
    expect(discord.threads()).toHaveLength(1);
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
    ).toContain('skipped message: deleted');
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
      message: 'failed to answer message',
      fields: { kind: 'discord-permission', operation: 'post', messageId: question.id },
    });
  });

  it('stops there when the author takes no messages either [TC-16, D6]', async () => {
    await using scene = await startScene();
    const { discord } = scene;
    discord.revoke('SendMessages');
    discord.revoke('SendMessagesInThreads');
    discord.people.closeDirect('alice');
    discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await discord.until(() => discord.countRequests('POST /channels/:channel/messages') === 1);
    await scene.stop();

    expect(scene.log.map(({ message }) => message)).toContain('failed to notify author');
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
      message: 'failed to read full history',
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

  it('does not take a history that it may not read for an empty one, and answers the message alone [TC-17, TC-42, TC-T9]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first', { mention: true });
    await scene.answers(threadId, 1);
    discord.revoke('ReadMessageHistory');
    const { id: messageId } = discord.people.say('alice', threadId, 'now?');

    expect(await scene.answers(threadId, 2)).toEqual(['ok', 'ok']);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: now?');
    expect(scene.log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'failed to read full history',
        fields: { kind: 'discord-permission', operation: 'read-history', messageId, threadId },
      },
    ]);
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

describe('when the connection breaks', () => {
  it('comes back by itself, and what was written meanwhile is answered [TC-20, TC-27]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(id, 1);
    discord.dropGateway(null);
    discord.people.say('alice', id, 'two');

    expect(await scene.answers(id, 2)).toEqual(['ok', 'ok']);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: one\nassistant: ok\nuser: alice: two');
  });
});
