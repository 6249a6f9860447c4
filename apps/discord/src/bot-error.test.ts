import { DiscordAPIError, HTTPError } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { atDiscord } from './bot-error.ts';

function apiError(status: number, code: number): DiscordAPIError {
  const body = { files: [], body: { content: 'private words' } };
  return new DiscordAPIError(
    { code, message: 'Missing Permissions' },
    code,
    status,
    'POST',
    'http://x',
    body,
  );
}

describe('atDiscord', () => {
  it.each([
    [apiError(401, 0), 'login', 401, 0],
    [apiError(403, 50_013), 'discord-permission', 403, 50_013],
    [apiError(404, 10_003), 'discord-gone', 404, 10_003],
    [apiError(400, 160_004), 'discord-refused', 400, 160_004],
    [
      new HTTPError(503, 'Unavailable', 'POST', 'http://x', { files: [], body: {} }),
      'discord-temporary',
      503,
      null,
    ],
    [apiError(429, 0), 'discord-temporary', 429, 0],
    [new DOMException('aborted', 'AbortError'), 'discord-temporary', null, null],
    [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'discord-temporary', null, null],
  ])('tells apart %s [TC-42, TC-47]', async (error, code, status, discordCode) => {
    const failed = atDiscord('post', () => Promise.reject(error));
    await expect(failed).rejects.toMatchObject({
      code,
      status,
      discordCode,
      operation: 'post',
      message: expect.not.stringContaining('private'),
    });
  });
});
