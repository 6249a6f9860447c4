import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts-en.ts';
import { startScene } from './bot/start-scene.ts';

const english = { LOCALE: 'en' };
const visible = (text: string | undefined): string => (text ?? '').replaceAll(/[\u200b\u2060]/g, '');

/** Checks by hand of seed 003 §7, phases 3 to 5, in the order of docs/guides/discord-bot.md. */
describe('a bot that lacks permissions', () => {
  it('answers with a reply where it may not make threads, says so in the log, and makes threads again once it may [TC-16, TC-T8, TC-57, TC-A5]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.revoke('CreatePublicThreads');
    const question = discord.people.say('alice', discord.generalId, 'secret plans', { mention: true });

    expect(await scene.answers(discord.generalId, 1)).toEqual(['ok']);
    expect(discord.threads()).toEqual([]);
    expect(discord.lastMessages(discord.generalId, 1)[0]?.message_reference?.message_id).toBe(question.id);
    expect(scene.log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'no thread for this message; answering with a reply',
        fields: { messageId: question.id, threadId: discord.generalId, kind: 'discord-permission' },
      },
    ]);

    discord.grant('CreatePublicThreads');
    const next = discord.people.say('alice', discord.generalId, 'and now', { mention: true });
    expect(await scene.answers(next.id, 1)).toEqual(['ok']);
    expect(discord.threads()).toHaveLength(1);
  });

  it('tells the author in private where it may not write at all, and asks no model [TC-16, TC-42, TC-47, TC-57]', async () => {
    await using scene = await startScene({ environment: english, lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.revoke('SendMessages');
    discord.revoke('SendMessagesInThreads');
    const question = discord.people.say('alice', discord.generalId, 'secret plans', { mention: true });
    const directId = discord.people.openDirect('alice');

    expect(await scene.answers(directId, 1)).toEqual([textsEn.cannotPost(discord.generalId)]);
    expect(scene.lmStudio.inputs()).toEqual([]);
    expect(scene.log.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'could not answer', fields: { messageId: question.id, kind: 'discord-permission' } },
    ]);
  });

  it('answers from the question alone where it may not read the history, and logs that [TC-17, TC-42, TC-T9]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    discord.revoke('ReadMessageHistory');
    const { id: messageId } = discord.people.say('alice', threadId, 'two');

    expect(await scene.answers(threadId, 2)).toEqual(['ok', 'ok']);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: two');
    expect(scene.log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'could not read the whole history',
        fields: { messageId, threadId, kind: 'discord-permission' },
      },
    ]);
  });
});

describe('what people and logs hear of failures', () => {
  it('tells people when the model takes too long, logs it, and answers the next message without a trace of it [TC-44, TC-45, TC-46, TC-47, TC-T10]', async () => {
    await using scene = await startScene({ environment: english, lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio, clock } = scene;
    const held = lmStudio.holdNext();
    const question = discord.people.say('alice', discord.generalId, 'secret plans', { mention: true });
    await held.arrived;
    clock.advance(30_000);

    const [notice] = await scene.answers(question.id, 1);
    expect(visible(notice)).toBe(textsEn.fallback['model-timeout']);
    held.release();
    expect(scene.log.filter(({ level }) => level === 'error')).toMatchObject([
      {
        message: 'the model did not answer',
        fields: { kind: 'model-timeout', threadId: question.id, messageId: question.id },
      },
    ]);
    discord.people.say('alice', question.id, 'go on');
    expect((await scene.answers(question.id, 2)).at(-1)).toBe('ok');
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: secret plans\nuser: alice: go on');
    expect(JSON.stringify(scene.log)).not.toContain('secret plans');
  });

  it('tells people by the kind of failure what is wrong with the model, and logs kind and status [TC-42, TC-44, TC-47, TC-T10]', async () => {
    await using scene = await startScene({ environment: english, lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'status', status: 500, message: 'secret plans' });
    lmStudio.misbehave({ kind: 'not-json' });
    lmStudio.misbehave({ kind: 'reset', at: 'headers' });
    lmStudio.misbehave({ kind: 'failed', message: 'secret plans' });
    const { id } = discord.people.say('alice', discord.generalId, 'secret plans', { mention: true });
    await scene.answers(id, 1);
    for (const [index, text] of ['again', 'and again', 'once more', 'at last'].entries()) {
      discord.people.say('alice', id, text);
      await scene.answers(id, index + 2);
    }

    const kinds = ['model-status', 'model-unreadable', 'model-unreachable', 'model-failed'] as const;
    expect((await scene.answers(id, 5)).map(visible)).toEqual([
      ...kinds.map((kind) => textsEn.fallback[kind]),
      'ok',
    ]);
    const errors = scene.log.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => [fields.kind, fields.status])).toEqual([
      ['model-status', 500],
      ['model-unreadable', null],
      ['model-unreachable', null],
      ['model-failed', null],
    ]);
    expect(JSON.stringify(scene.log)).not.toContain('secret plans');
  });

  it('answers from what it could read where Discord does not give the history, and logs the status [TC-17, TC-42, TC-47, TC-T9]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    discord.failNext('GET /channels/:channel/messages', 503);
    const { id: messageId } = discord.people.say('alice', threadId, 'two');

    expect(await scene.answers(threadId, 2)).toEqual(['ok', 'ok']);
    expect(lmStudio.inputs().at(-1)).toMatch(/user: alice: two$/);
    expect(scene.log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'could not read the whole history',
        fields: { messageId, threadId, kind: 'discord-temporary', status: 503 },
      },
    ]);
  });
});

describe('a connection that breaks', () => {
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

describe('many at once', () => {
  it('answers rapid posts in one thread one by one, in their order [TC-59, TC-27]', async () => {
    await using scene = await startScene({
      lmStudio: { script: (input) => `to ${input.split(' ').at(-1)}` },
    });
    const { discord } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'number 0', { mention: true });
    await discord.until(() => discord.threads().length === 1);
    for (let index = 1; index <= 5; index += 1) discord.people.say('bob', id, `number ${index}`);

    expect(await scene.answers(id, 6)).toEqual(['to 0', 'to 1', 'to 2', 'to 3', 'to 4', 'to 5']);
  });

  it('answers in twenty threads side by side, each with its own history and no other [TC-59, TC-3]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const ids = Array.from(
      { length: 20 },
      (_, index) => discord.people.say(`person${index}`, discord.generalId, 'first', { mention: true }).id,
    );
    for (const id of ids) await scene.answers(id, 1);
    for (const [index, id] of ids.entries()) discord.people.say(`person${index}`, id, 'second');
    for (const id of ids) await scene.answers(id, 2);

    const expected = ids.map(
      (_, index) => `user: person${index}: first\nassistant: ok\nuser: person${index}: second`,
    );
    expect(lmStudio.inputs().slice(20).toSorted()).toEqual(expected.toSorted());
  });
});
