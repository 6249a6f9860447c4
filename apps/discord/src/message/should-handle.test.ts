import { describe, expect, it } from 'vitest';
import { type IncomingMessage, type MessagePlace, shouldHandle } from './incoming-message.ts';

const botUserId = '1';
const channel: MessagePlace = { kind: 'channel', canHaveThread: true, hasThread: false };
const ownThread: MessagePlace = { kind: 'thread', ownerId: botUserId };
const otherThread: MessagePlace = { kind: 'thread', ownerId: '2' };
const direct: MessagePlace = { kind: 'direct' };

function message(where: MessagePlace, change: Partial<IncomingMessage> = {}): IncomingMessage {
  return {
    id: '10',
    channelId: '5',
    authorId: '2',
    authorName: 'alice',
    authorIsBot: false,
    isSystem: false,
    content: 'hello',
    readableContent: 'hello',
    mentionsBot: false,
    guildLocale: null,
    origin: { guildId: '3', channelIds: ['5'], roleIds: [] },
    where,
    ...change,
  };
}

describe('shouldHandle', () => {
  it.each([
    ['a channel', channel, false],
    ['a thread of the bot', ownThread, true],
    ['a thread of somebody else', otherThread, false],
    ['a thread whose owner is not known', { kind: 'thread', ownerId: null } as const, false],
    ['direct messages', direct, true],
  ])('decides without a mention by where it stands: %s [TC-T7, TC-T13, TC-5]', (_, where, expected) => {
    expect(shouldHandle(message(where), botUserId)).toBe(expected);
  });

  it('takes a mention everywhere [TC-T7, TC-4, TC-50]', () => {
    for (const where of [channel, ownThread, otherThread, direct]) {
      expect(shouldHandle(message(where, { mentionsBot: true }), botUserId)).toBe(true);
    }
  });

  it.each([
    ['the bot itself', { authorId: botUserId, authorIsBot: true }],
    ['another bot or a webhook', { authorIsBot: true }],
    ['Discord', { isSystem: true }],
  ])('never answers %s, mention or not [TC-T7, TC-39]', (_, change) => {
    for (const where of [channel, ownThread, direct]) {
      expect(shouldHandle(message(where, { mentionsBot: true, ...change }), botUserId)).toBe(false);
    }
  });

  it('lets a picture without a word be [TC-21]', () => {
    expect(shouldHandle(message(ownThread, { content: ' ' }), botUserId)).toBe(false);
    expect(shouldHandle(message(direct, { content: '' }), botUserId)).toBe(false);
    expect(shouldHandle(message(direct, { content: '\u200b' }), botUserId)).toBe(false);
  });
});
