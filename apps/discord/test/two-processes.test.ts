import { describe, expect, it } from 'vitest';
import { type Scene, startScene } from './bot/start-scene.ts';

const visible = (text: string | undefined): string => (text ?? '').replace(/[\u200b-\u200d\u2060]/g, '');
const looksRoute = 'GET /channels/:channel/messages';
const threadsRoute = 'POST /channels/:channel/messages/:message/threads';

/** A bot whose model says one word, and the next ones when it is let. */
async function startHalting(own: Readonly<Record<string, string>> = {}) {
  const isLet = Promise.withResolvers<void>();
  // So long that no model is given up while the clock is moved on.
  const environment = { STREAM: 'true', LM_TIMEOUT_SECONDS: '300', ...own };
  const scene = await startScene({
    environment,
    lmStudio: {
      script: () => 'one two',
      pace: (number) => (number === 0 ? Promise.resolve() : isLet.promise),
    },
  });
  return { scene, environment, letOn: () => isLet.resolve() };
}

/** The last message of the thread that a message has. */
function lastIn({ discord }: Scene, id: string): string {
  const hasThread = discord.threads().some((thread) => thread.id === id);
  return hasThread ? visible(discord.lastMessages(id, 1)[0]?.content) : '';
}

/** Ends a bot as if it had been killed: what is under way ends where it is. */
async function breakOff(bot: { readonly stop: () => Promise<void> }, { clock }: Scene): Promise<void> {
  const stopped = bot.stop();
  await clock.untilWaiting(10_000);
  clock.advance(10_000);
  await stopped;
}

/** Lets time pass until the last message of a thread reads like this. */
async function untilLast(scene: Scene, id: string, text: string): Promise<void> {
  while (lastIn(scene, id) !== text) {
    scene.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('an answer that one process leaves half', () => {
  it('is made whole by the other, also when that began after the question and before its thread [NX-106, NX-104]', async () => {
    const { scene, letOn } = await startHalting();
    await using _ = scene;
    const { discord } = scene;
    const thread = discord.holdNext(threadsRoute);
    const { id } = discord.people.say('alice', discord.generalId, 'count', { mention: true });
    await thread.arrived;
    const look = discord.holdNext(looksRoute);
    const second = await scene.startSecond();
    await look.arrived;
    thread.release();
    await discord.until(() => lastIn(scene, id) === 'one\n⏳');
    look.release();
    await breakOff(scene, scene);
    letOn();

    await untilLast(scene, id, 'one two');
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
    await second.stop();
  });

  it('is made whole by the other, also when that looked for an edited question after its thread was made [NX-106, NX-107]', async () => {
    const { scene, environment, letOn } = await startHalting();
    await using _ = scene;
    const { discord } = scene;
    // The minutes tell which of them made the thread.
    const second = await scene.startSecond({ ...environment, THREAD_ARCHIVE_MINUTES: '60' });
    const look = discord.holdNext(looksRoute);
    const question = discord.people.say('alice', discord.generalId, 'count');
    discord.people.edit(question, `<@${discord.bot.id}> count`);
    await look.arrived;
    await discord.until(() => lastIn(scene, question.id) === 'one\n⏳');
    look.release();
    const made = discord.requests.find(({ route }) => route === threadsRoute);
    const options = made?.body as { readonly auto_archive_duration?: number } | undefined;
    const isSecond = options?.auto_archive_duration === 60;
    await breakOff(isSecond ? second : scene, scene);
    letOn();

    await untilLast(scene, question.id, 'one two');
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
    await (isSecond ? scene : second).stop();
  });

  it('is left by a process that is slower than the other waits, and given once [NX-106]', async () => {
    const { scene, environment, letOn } = await startHalting({ LM_TIMEOUT_SECONDS: '3600' });
    await using _ = scene;
    const { discord, clock, lmStudio, log } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'count', { mention: true });
    await discord.until(() => lastIn(scene, id) === 'one\n⏳');
    const second = await scene.startSecond({ ...environment, LM_TIMEOUT_SECONDS: '300' });
    await clock.untilWaiting(305_000);
    clock.advance(305_000);
    await expect
      .poll(() => log.map(({ message }) => message))
      .toContain('skipped message: answered by another process');
    await discord.until(() => lmStudio.inputs().length === 2);
    letOn();

    await untilLast(scene, id, 'one two');
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
    await second.stop();
  });
});
