import { AttachedFiles, ThreadNames } from '@agent/thread-context/chat';
import { Client } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { messagePayloadSchema, toThreadMessage } from './read-message.ts';

const payload = {
  id: '10',
  channel_id: '5',
  type: 0,
  content: 'look at this',
  author: { id: '2', username: 'alice', global_name: 'Alice', discriminator: '0', avatar: null },
  attachments: [
    { id: '3', filename: 'secret.txt', size: 9, url: 'https://x/secret', proxy_url: 'https://x' },
  ],
  embeds: [{ title: 'An article', description: 'its words' }],
  sticker_items: [{ id: '4', name: 'wave', format_type: 1 }],
} satisfies Partial<APIMessage>;

function read(change: object, displayName = false) {
  return toThreadMessage(messagePayloadSchema.parse({ ...payload, ...change }), {
    displayName,
    client: new Client({ intents: [] }),
    names: new ThreadNames(),
    files: new AttachedFiles(),
  });
}

describe('toThreadMessage', () => {
  it('reads the text, without embeds and stickers; files follow later [TC-21]', () => {
    expect(read({})).toEqual({
      id: '10',
      authorId: '2',
      authorName: 'alice',
      authorIsBot: false,
      isSystem: false,
      content: 'look at this',
    });
    expect(read({ content: '' }).content).toBe('');
  });

  it('calls people by their account, or by the name they show [TC-36, D9]', () => {
    expect(read({}, true).authorName).toBe('Alice');
    expect(read({ author: { ...payload.author, global_name: null } }, true).authorName).toBe('alice');
  });

  it('takes webhooks for bots, and tells what people wrote from what Discord did [TC-39, TC-T3]', () => {
    expect(read({ webhook_id: '7' }).authorIsBot).toBe(true);
    expect(read({ author: { ...payload.author, bot: true } }).authorIsBot).toBe(true);
    // 7: a member joined, 18: a thread was made, 19: a reply, 21: the pointer to a thread's first message.
    expect([0, 7, 18, 19, 21].map((type) => read({ type }).isSystem)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});
