import { describe, expect, it } from 'vitest';
import { startScene } from './bot/start-scene.ts';

const routes = [
  'GET /channels/:channel/messages',
  'POST /channels/:channel/messages',
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me',
  'POST /channels/:channel/typing',
] as const;

describe('when Discord answers with 401', () => {
  it.each(routes)('asks whether the token is still good, and sends %s again [NX-64]', async (route) => {
    await using scene = await startScene({ lmStudio: { script: () => 'still here' } });
    const { discord } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(id, 1);
    discord.failNext(route, 401);
    discord.people.say('alice', id, 'and now?');

    expect(await scene.answers(id, 2)).toEqual(['still here', 'still here']);
    expect(discord.countRequests('GET /users/@me')).toBe(1);
    discord.people.say('alice', id, 'and then?');
    expect(await scene.answers(id, 3)).toHaveLength(3);
  });

  it('waits for a token that is refused three times in a row and accepted then [NX-64]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'still here' } });
    const { discord, clock } = scene;
    const held = scene.lmStudio.holdNext();
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await held.arrived;
    discord.refuseToken(3);
    held.release();
    await clock.untilWaiting(1_000);
    clock.advance(1_000);
    await clock.untilWaiting(3_000);
    clock.advance(3_000);

    expect(await scene.answers(id, 1)).toEqual(['still here']);
  });

  it('takes silence for no answer: the request fails, the login stays [NX-64]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'still here' } });
    const { discord, clock } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(id, 1);
    discord.failNext('GET /channels/:channel/messages', 401);
    discord.failNext('GET /users/@me', 503, { times: 3 });
    discord.people.say('alice', id, 'and now?');
    await clock.untilWaiting(1_000);
    clock.advance(1_000);
    await clock.untilWaiting(3_000);
    clock.advance(3_000);

    expect((await scene.answers(id, 3)).at(-1)).toContain("couldn't read all earlier messages here");
    expect(scene.log.find(({ message }) => message === 'failed to read full history')).toMatchObject({
      fields: { kind: 'discord-temporary', status: 401 },
    });
  });

  it('names a route that stays refused while the token is accepted, and goes on [NX-64]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'still here' } });
    const { discord } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await scene.answers(id, 1);
    discord.failNext('GET /channels/:channel/messages', 401, { times: 4 });
    discord.people.say('alice', id, 'and now?');

    expect(await scene.answers(id, 2)).toHaveLength(2);
    expect(scene.log.find(({ message }) => message === 'failed to read full history')).toMatchObject({
      fields: { kind: 'discord-refused', status: 401 },
    });
  });

  it('is lost when the token is revoked, and says so in the log [NX-64]', async () => {
    await using scene = await startScene();
    const { discord, clock } = scene;
    await scene.stop();
    const { lost } = await scene.start();
    discord.refuseToken();
    discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await clock.untilWaiting(1_000);
    clock.advance(1_000);
    await clock.untilWaiting(3_000);
    clock.advance(3_000);

    await expect(lost).rejects.toMatchObject({ code: 'login', message: 'wrong token' });
    expect(scene.log.find(({ message }) => message === 'stopping: Discord ended the session')).toMatchObject({
      level: 'error',
      fields: { kind: 'login', status: 401 },
    });
  });
});

describe('when Discord does not answer at the start', () => {
  it('is tried again after growing pauses, and answers then [NX-103]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'there at last' } });
    const { discord, clock } = scene;
    await scene.stop();
    discord.failNext('GET /gateway/bot', 503, { times: 3 });
    const started = scene.start();
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await clock.untilWaiting(pauseMs);
      clock.advance(pauseMs);
    }
    await started;
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });

    expect(await scene.answers(id, 1)).toEqual(['there at last']);
    expect(scene.log.filter(({ message }) => message === 'failed to log in; retrying')).toHaveLength(3);
  });
});
