import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BotError } from '../bot-error.ts';
import type { IncomingMessage, MessagePlace } from '../message/incoming-message.ts';
import { ensureThread, type Place, type Places, toThreadName } from './place.ts';

const channel: MessagePlace = { kind: 'channel', canHaveThread: true, hasThread: false };

function message(where: MessagePlace): IncomingMessage {
  return {
    id: '10',
    channelId: '5',
    authorId: '2',
    authorName: 'alice',
    authorIsBot: false,
    isSystem: false,
    content: '<@1> hello',
    readableContent: ' hello',
    mentionsBot: true,
    guildLocale: null,
    origin: { guildId: '3', channelIds: ['5'], roleIds: [] },
    where,
  };
}

function place(id: string): Place {
  return {
    id,
    history: null,
    mayPost: () => true,
    send: async (content) => ({ id: '1', content }),
    edit: async () => {},
    remove: async () => {},
    findSent: async () => null,
    showTyping: async () => {},
  };
}

/** Three places, told apart by their ids; with an error no thread can be started. */
async function ensure(where: MessagePlace, error: unknown = null) {
  const names: string[] = [];
  const failures: unknown[] = [];
  const places: Places = {
    here: () => place('here'),
    findThread: async () => place('found'),
    startThread: async (name) => {
      names.push(name);
      if (error !== null) throw error;
      return place('started');
    },
  };
  const onFailure = (failure: unknown): void => void failures.push(failure);
  const { id } = await ensureThread(message(where), { places, botName: 'suzume', onFailure });
  return { id, names, failures };
}

describe('ensureThread', () => {
  it('starts a thread of a message in a channel [TC-4, TC-48, TC-50]', async () => {
    expect(await ensure(channel)).toEqual({ id: 'started', names: ['suzume: hello'], failures: [] });
  });

  it('takes the thread that is there [TC-4]', async () => {
    expect(await ensure({ ...channel, hasThread: true })).toMatchObject({ id: 'found', names: [] });
    const exists = new BotError('discord-refused', 'there is one', { discordCode: 160_004 });
    expect(await ensure(channel, exists)).toMatchObject({ id: 'found', failures: [] });
  });

  it('stays where it is in threads, direct messages and channels without threads [TC-A5, TC-T13]', async () => {
    for (const where of [
      { kind: 'thread', ownerId: '2' },
      { kind: 'direct' },
      { kind: 'channel', canHaveThread: false, hasThread: false },
    ] satisfies MessagePlace[]) {
      expect(await ensure(where)).toEqual({ id: 'here', names: [], failures: [] });
    }
  });

  it('replies where no thread may be made, and says why [TC-16, TC-T8, TC-57]', async () => {
    const error = new BotError('discord-permission', 'no', { discordCode: 50_013 });
    expect(await ensure(channel, error)).toEqual({ id: 'here', names: ['suzume: hello'], failures: [error] });
  });
});

describe('toThreadName', () => {
  it('names a thread after the bot and the first question [TC-48]', () => {
    expect(toThreadName('suzume', '今日の予定を3行でまとめて')).toBe('suzume: 今日の予定を3行でまとめて');
    expect(toThreadName('suzume', '  two\n lines\t')).toBe('suzume: two lines');
  });

  it('calls it a conversation where there is nothing to name it after [TC-48]', () => {
    expect(toThreadName('suzume', ' \n')).toBe('suzume: conversation');
    expect(toThreadName('suzume', '\u200b\u2060 \ufe0f')).toBe('suzume: conversation');
  });

  it('cuts between two characters [TC-48]', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(toThreadName('suzume', family.repeat(20))).toBe(`suzume: ${family.repeat(8)}`);
    expect(toThreadName('suzume', 'a'.repeat(200))).toBe(`suzume: ${'a'.repeat(92)}`);
  });

  it('is always a name that Discord takes [TC-48]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const name = toThreadName('suzume', text);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(name.length).toBeGreaterThan('suzume: '.length);
        expect(name.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});
