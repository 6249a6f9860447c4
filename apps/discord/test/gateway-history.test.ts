import { describe, expect, it } from 'vitest';
import { type Scene, startScene } from './bot/start-scene.ts';

const environment = { HISTORY_CACHE: 'gateway' };

function historyRequests({ discord }: Scene): number {
  return (
    discord.countRequests('GET /channels/:channel/messages') +
    discord.countRequests('GET /channels/:channel/messages/:message')
  );
}

/** A thread with one answer, whose history the bot knows. */
async function startConversation(): Promise<{
  scene: Scene;
  threadId: string;
  ask: (text: string) => Promise<string>;
}> {
  const scene = await startScene({ environment, lmStudio: { script: () => 'ok' } });
  const { discord, lmStudio } = scene;
  let answered = 0;
  const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
  await scene.answers(threadId, ++answered);
  const ask = async (text: string): Promise<string> => {
    discord.people.say('alice', threadId, text);
    await scene.answers(threadId, ++answered);
    return lmStudio.inputs().at(-1) ?? '';
  };
  await ask('two');
  discord.clearRequests();
  return { scene, threadId, ask };
}

describe('history kept from the gateway', () => {
  it('costs no request per turn, and says the same [TC-1, TC-9, TC-20]', async () => {
    const { scene, ask } = await startConversation();
    await using _ = scene;

    expect(await ask('three')).toBe(
      ['user: alice: one', 'assistant: ok', 'user: alice: two', 'assistant: ok', 'user: alice: three'].join(
        '\n',
      ),
    );
    expect(await ask('four')).toMatch(/user: alice: three\nassistant: ok\nuser: alice: four$/);
    expect(historyRequests(scene)).toBe(0);
  });

  it('follows edits and deletions, of the first message too [TC-1]', async () => {
    const { scene, threadId, ask } = await startConversation();
    await using _ = scene;
    const { discord } = scene;
    const second = discord.lastMessages(threadId).find(({ content }) => content === 'two');
    if (second === undefined) throw new Error('The second question is missing.');
    discord.people.edit({ id: threadId, channel_id: discord.generalId }, `<@${discord.bot.id}> one, mended`);
    discord.people.delete(second);

    expect(await ask('three')).toBe(
      'user: alice: one, mended\nassistant: ok\nok\nuser: alice: three'.replace('\nok\n', '\n  ok\n'),
    );
    expect(historyRequests(scene)).toBe(0);
  });

  it('is kept when the connection is resumed [TC-1]', async () => {
    const { scene, ask } = await startConversation();
    await using _ = scene;
    const { discord } = scene;
    discord.dropGateway(4000);
    await discord.until(() =>
      discord.gatewayLog.some((event) => event.kind === 'resume' && event.isAccepted),
    );

    expect(await ask('three')).toMatch(/^user: alice: one\n/);
    expect(historyRequests(scene)).toBe(0);
  });

  it('is dropped when a new session begins, because something may have been missed [TC-1]', async () => {
    const { scene, ask } = await startConversation();
    await using _ = scene;
    const { discord } = scene;
    discord.invalidateSessions();
    discord.dropGateway(4000);
    await discord.until(() => discord.gatewayLog.filter(({ kind }) => kind === 'identify').length === 2);

    expect(await ask('three')).toMatch(/^user: alice: one\n/);
    expect(historyRequests(scene)).toBeGreaterThan(0);
  });
});
