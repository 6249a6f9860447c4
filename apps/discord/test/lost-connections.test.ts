import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Scene, startScene } from './bot/start-scene.ts';

const create = 'POST /channels/:channel/messages';
const edit = 'PATCH /channels/:channel/messages/:message';

/** Lets time pass until a value is there: requests take real time, waits take that of the scene. */
async function passUntil<Value>(scene: Scene, stepMs: number, find: () => Value | false): Promise<Value> {
  for (let steps = 0; steps < 2_000; steps += 1) {
    const found = find();
    if (found !== false) return found;
    scene.clock.advance(stepMs);
    await pause(5);
  }
  throw new Error('It did not happen.');
}

function isAnswered({ discord }: Scene, channelId: string, id: string): boolean {
  const said = discord.threads().some((thread) => thread.id === id) ? discord.lastMessages(id) : [];
  return [...said, ...discord.lastMessages(channelId)].some(
    ({ author, content }) => author.id === discord.bot.id && content === 'ok',
  );
}

describe('a bot that loses its connection', () => {
  it('logs in again two minutes after a RESUME without an answer, and catches up', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, clock } = scene;
    discord.swallowResumes(1);
    discord.dropGateway(4000);
    await discord.until(() => discord.gatewayLog.some(({ kind }) => kind === 'resume'));
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    clock.advance(119_000);
    await pause(50);
    expect(discord.gatewayLog.filter(({ kind }) => kind === 'identify')).toHaveLength(1);
    clock.advance(1_000);
    expect(await scene.answers(id, 1)).toEqual(['ok']);
    expect(discord.gatewayLog.filter(({ kind }) => kind === 'identify')).toHaveLength(2);
    expect(scene.log.map(({ message }) => message)).toContain(
      'no Discord session for two minutes; logging in again',
    );
    const next = discord.people.say('bob', discord.generalId, 'and now?', { mention: true });
    expect(await scene.answers(next.id, 1)).toEqual(['ok']);
  });

  it('finishes an answer that is under way while it logs in again', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, clock } = scene;
    const held = discord.holdNext(create);
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    await held.arrived;
    discord.swallowResumes(1);
    discord.dropGateway(4000);
    await discord.until(() => discord.gatewayLog.some(({ kind }) => kind === 'resume'));
    clock.advance(120_000);
    await discord.until(() => discord.gatewayLog.filter(({ kind }) => kind === 'identify').length === 2);
    held.release();
    expect(await scene.answers(id, 1)).toEqual(['ok']);
    await scene.stop();
    expect(discord.lastMessages(id).filter(({ content }) => content === 'ok')).toHaveLength(1);
  });

  it('keeps a connection that resumes in time', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, clock } = scene;
    discord.dropGateway(4000);
    await discord.until(() => discord.gatewayLog.some(({ kind }) => kind === 'resume'));
    await pause(50);
    clock.advance(300_000);
    await pause(50);
    expect(discord.gatewayLog.filter(({ kind }) => kind === 'identify')).toHaveLength(1);
  });

  it.each(['off', 'gateway'])(
    'finds a message whose event a resumed session does not repeat (history cache %s)',
    async (HISTORY_CACHE) => {
      await using scene = await startScene({
        environment: { HISTORY_CACHE },
        lmStudio: { script: () => 'ok' },
      });
      const { discord, clock } = scene;
      const first = discord.people.say('alice', discord.generalId, 'one', { mention: true });
      await scene.answers(first.id, 1);
      discord.setLosingEvents(true);
      discord.people.say('alice', first.id, 'two');
      const other = discord.people.say('bob', discord.generalId, 'three', { mention: true });
      discord.setLosingEvents(false);
      discord.dropGateway(4000);
      await clock.untilWaiting(0);
      clock.advance(0);
      expect(await scene.answers(first.id, 2)).toEqual(['ok', 'ok']);
      expect(await scene.answers(other.id, 1)).toEqual(['ok']);
      expect(scene.lmStudio.inputs()).toContain('user: alice: one\nassistant: ok\nuser: alice: two');
    },
  );

  it.each([
    ['a resumed session', (scene: Scene) => scene.discord.dropGateway(4000), 0],
    ['ten minutes', () => {}, 600_000],
  ] as const)(
    'finds a message whose event was lost behind a later one of its thread, after %s',
    async (_, lose, ms) => {
      await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
      const { discord, clock } = scene;
      const first = discord.people.say('alice', discord.generalId, 'one', { mention: true });
      expect(await scene.answers(first.id, 1)).toEqual(['ok']);
      discord.setLosingEvents(true);
      const lost = discord.people.say('alice', first.id, 'two');
      discord.setLosingEvents(false);
      discord.people.say('alice', first.id, 'three');
      expect(await scene.answers(first.id, 2)).toEqual(['ok', 'ok']);
      lose(scene);
      if (ms === 0) await clock.untilWaiting(0);
      clock.advance(ms);
      expect(await scene.answers(first.id, 3)).toEqual(['ok', 'ok', 'ok']);
      const repliesTo = discord
        .lastMessages(first.id)
        .map((message) => message.message_reference?.message_id);
      expect(repliesTo).toContain(lost.id);
    },
  );

  it('finds a message whose event was lost within ten minutes, without any sign of a loss', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, clock } = scene;
    discord.setLosingEvents(true);
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    discord.setLosingEvents(false);
    clock.advance(600_000);
    expect(await scene.answers(id, 1)).toEqual(['ok']);
  });
});

describe('a bot whose requests are limited', () => {
  it('sends one request in two seconds when Discord names no time', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.limitNext(create, { retryAfterMs: null, times: 10, code: 30_046 });
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    await passUntil(scene, 250, () => isAnswered(scene, discord.generalId, id));
    const times = discord.requests.filter(({ route }) => route === create).map(({ at }) => at);
    expect(times).toHaveLength(11);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2_000);
  });

  it('continues a growing answer whose edits are limited without a time', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    await using scene = await startScene({
      environment: { STREAM: 'true' },
      lmStudio: { script: () => lines.join('\n'), pace: () => pause(5) },
    });
    const { discord } = scene;
    discord.limitNext(edit, { retryAfterMs: null, times: 6, code: 30_046 });
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    await passUntil(scene, 250, () => {
      const last = discord.threads().some((thread) => thread.id === id) && discord.lastMessages(id).at(-1);
      return last !== false && last?.content === lines.join('\n');
    });
    const times = discord.requests.filter(({ route, status }) => route === edit && status === 429);
    expect(times.length).toBeLessThanOrEqual(6);
  });

  it('waits as long as the body says when the header says less', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    discord.limitNext(create, { retryAfterMs: 10, bodyRetryAfterMs: 600, code: 20_028 });
    const begunAt = performance.now();
    const { id } = discord.people.say('alice', discord.generalId, 'hello?', { mention: true });
    expect(await scene.answers(id, 1)).toEqual(['ok']);
    expect(performance.now() - begunAt).toBeGreaterThan(550);
  });
});
