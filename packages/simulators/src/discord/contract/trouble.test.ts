import { RESTEvents } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logIn } from './log-in.ts';
import { openStage, type Stage } from './stage.ts';

const CREATE = 'POST /channels/:channel/messages';

describe('trouble with REST, as the real client lives through it', () => {
  let stage: Stage;
  let simulator: Stage['simulator'];
  let client: Stage['client'];
  let general: Stage['general'];

  beforeEach(async () => {
    stage = await openStage({}, { rest: { retries: 1, timeout: 2_000, offset: 0 } });
    ({ simulator, client, general } = stage);
  });
  afterEach(() => stage.close());

  it.each([false, true])('waits as long as it is told and tries again (global: %s)', async (global) => {
    const limits: boolean[] = [];
    client.rest.on(RESTEvents.RateLimited, (limit) => limits.push(limit.global));
    simulator.limitNext(CREATE, { retryAfterMs: 40, global });
    expect(await general.send('patience')).toMatchObject({ content: 'patience' });
    expect(simulator.requests.filter(({ route }) => route === CREATE).map(({ status }) => status)).toEqual([
      429, 200,
    ]);
    expect(limits).toContain(global);
  });

  it('may be a block by Cloudflare, which has no JSON and its time in the header alone', async () => {
    simulator.limitNext(CREATE, { retryAfterMs: 1_000, isCloudflare: true });
    expect(await general.send('patience')).toMatchObject({ content: 'patience' });
    simulator.limitNext(CREATE, { retryAfterMs: 1_000, isCloudflare: true });
    const answer = await fetch(`${simulator.apiUrl}/v10/channels/${general.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${client.token}` },
    });
    const seen = [answer.status, answer.headers.get('retry-after'), await answer.text()];
    expect(seen).toEqual([429, '1', 'error code: 1015']);
  });

  it('is over when the server is well again', async () => {
    simulator.failNext(CREATE, 502);
    expect(await general.send('again')).toMatchObject({ content: 'again' });
    simulator.failNext(CREATE, 503, { times: 2 });
    await expect(general.send('never')).rejects.toMatchObject({ status: 503 });
    expect(simulator.lastMessages(general.id).map(({ content }) => content)).toEqual(['again']);
  });

  it('may be any error that a test asks for', async () => {
    simulator.failNext(CREATE, 400, { code: 160006, message: 'Maximum number of active threads reached' });
    await expect(general.send('one')).rejects.toMatchObject({ code: 160006, status: 400 });
    await general.send('two');
  });

  it('holds a request before it is done', async () => {
    const held = simulator.holdNext(CREATE);
    const sent = general.send('late');
    await held.arrived;
    expect(simulator.lastMessages(general.id)).toEqual([]);
    held.release();
    expect(await sent).toMatchObject({ content: 'late' });
  });

  it('holds an answer after the deed, which a nonce keeps from being done twice', async () => {
    const { arrived } = simulator.holdNext(CREATE, 'after');
    const hasty = await logIn(simulator, { rest: { timeout: 100 } });
    const channel = await hasty.channels.fetch(general.id);
    if (!channel?.isSendable()) throw new Error('general takes no messages');
    const sent = channel.send({ content: 'once', nonce: '1', enforceNonce: true });
    await arrived;
    expect(simulator.lastMessages(general.id)).toHaveLength(1);
    expect(await sent).toMatchObject({ content: 'once' });
    expect(simulator.countRequests(CREATE)).toBe(2);
    expect(simulator.lastMessages(general.id)).toHaveLength(1);
    await hasty.destroy();
  });
});
