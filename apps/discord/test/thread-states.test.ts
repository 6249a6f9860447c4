import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { type Scene, startScene } from './bot/start-scene.ts';

/** A thread with one answer, and what is asked there next. */
async function startThread(): Promise<{
  scene: Scene;
  threadId: string;
  ask: (text: string) => Promise<string>;
}> {
  const scene = await startScene({ environment: { LOCALE: 'en' }, lmStudio: { script: () => 'ok' } });
  const { discord, lmStudio } = scene;
  const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
  await scene.answers(threadId, 1);
  const ask = async (text: string): Promise<string> => {
    discord.people.say('alice', threadId, text);
    await scene.answers(threadId, 2);
    return lmStudio.inputs().at(-1) ?? '';
  };
  return { scene, threadId, ask };
}

describe('a thread', () => {
  it('whose first message was deleted goes on with the rest [TC-17, TC-A2]', async () => {
    const { scene, threadId, ask } = await startThread();
    await using _ = scene;
    scene.discord.people.delete({ id: threadId, channel_id: scene.discord.generalId });

    expect(await ask('two')).toBe('assistant: ok\nuser: alice: two');
    expect(scene.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('whose first message was edited goes on with what stands there now [TC-1, TC-A2]', async () => {
    const { scene, threadId, ask } = await startThread();
    await using _ = scene;
    scene.discord.people.edit({ id: threadId, channel_id: scene.discord.generalId }, 'one, mended');

    expect(await ask('two')).toBe('user: alice: one, mended\nassistant: ok\nuser: alice: two');
  });

  it('that slept while the bot was away wakes with the next message, and is answered [TC-2, TC-A2]', async () => {
    const { scene, threadId, ask } = await startThread();
    await using _ = scene;
    await scene.stop();
    scene.discord.people.changeThread(threadId, { archived: true });
    await scene.start();

    expect(await ask('two')).toBe('user: alice: one\nassistant: ok\nuser: alice: two');
  });

  it('that was locked is not answered in, and who asks is told why [TC-16, TC-42, TC-47]', async () => {
    const { scene, threadId } = await startThread();
    await using _ = scene;
    const { discord } = scene;
    discord.people.changeThread(threadId, { locked: true });
    const { id: messageId } = discord.people.say('alice', threadId, 'two');
    const directId = discord.people.openDirect('alice');

    expect(await scene.answers(directId, 1)).toEqual([textsEn.cannotPost(threadId)]);
    expect(textsEn.cannotPost(threadId)).toContain('unlock');
    expect(scene.log.filter(({ level }) => level === 'error')).toMatchObject([
      {
        message: 'failed to answer message',
        fields: { kind: 'discord-permission', operation: 'post', threadId, messageId },
      },
    ]);
  });
});
