import { describe, expect, it } from 'vitest';
import { DiscordRequests } from '../../src/rehearse/discord-requests.ts';

/** Creates requests that are answered by these functions in their order. */
function createRequests(token: string, ...answers: readonly (() => Promise<Response>)[]) {
  const sent: Headers[] = [];
  const waits: number[] = [];
  const requests = new DiscordRequests({
    ...{ apiUrl: 'https://discord.test/api', token },
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers));
      const answer = answers[sent.length - 1];
      if (answer === undefined) throw new TypeError('fetch failed', { cause: new Error('reset') });
      return answer();
    },
    sleep: async (ms) => void waits.push(ms),
    signal: new AbortController().signal,
  });
  return { requests, sent, waits };
}

const account = async () => Response.json({ id: '1', username: 'suzume' });

describe('DiscordRequests', () => {
  it('sends a request again after a failure of the server and after a lost connection', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const broken = async () => new Response('', { status: 502 });
    const { requests, waits } = createRequests('token', broken, lost, account);
    await expect(requests.readAccount(Date.now)).resolves.toMatchObject({ username: 'suzume' });
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('reports the reason after three attempts', async () => {
    const { requests, sent } = createRequests('token');
    await expect(requests.readAccount(Date.now)).rejects.toMatchObject({ message: 'reset', status: null });
    expect(sent).toHaveLength(3);
  });

  it.each(['token', 'Bot token', 'Bearer token'])('accepts the setting "%s"', async (setting) => {
    const { requests, sent } = createRequests(setting, account);
    await requests.readAccount(Date.now);
    expect(sent[0]?.get('authorization')).toBe('Bot token');
  });

  it.each(['secret\nsecret', 'secret\u0000', '“secret”', 'secret secret'])(
    'does not send or quote the token %j',
    async (token) => {
      const { requests, sent } = createRequests(token, account);
      const error = await requests.readAccount(Date.now).catch((caught: Error) => caught);
      expect(error).toMatchObject({ message: '401 Unauthorized', status: 401 });
      expect(sent).toEqual([]);
    },
  );
});
