import type { LmMisbehavior } from '@agent/simulators/lm-studio';
import { isNotice } from '@agent/thread-context/chat';
import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { textsJa } from '../src/texts/texts.ja.ts';
import { startScene } from './bot/start-scene.ts';

const visible = (text: string): string => text.replace(/[\u200b\u2060]/g, '');

describe('when the model does not answer', () => {
  const failures: readonly (readonly [string, LmMisbehavior, keyof typeof textsEn.fallback])[] = [
    ['breaks the connection', { kind: 'reset', at: 'headers' }, 'model-unreachable'],
    ['breaks off in the middle', { kind: 'reset', at: 'body' }, 'model-unreachable'],
    ['answers with an error', { kind: 'status', status: 500 }, 'model-status'],
    ['sends a page', { kind: 'not-json' }, 'model-unreadable'],
    ['sends something else', { kind: 'wrong-shape' }, 'model-unreadable'],
    ['says that it failed', { kind: 'failed', message: 'hello: quoted' }, 'model-failed'],
  ];

  it.each(failures)(
    'says so when it %s, and asks once [TC-44, TC-T10, TC-42, TC-43, TC-47, D15]',
    async (_, how, code) => {
      await using scene = await startScene();
      const { discord, lmStudio } = scene;
      lmStudio.misbehave(how);
      const { id: threadId } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
      const [said = ''] = await scene.answers(threadId, 1);

      expect(visible(said)).toBe(textsEn.fallback[code]);
      expect(lmStudio.inputs()).toHaveLength(1);
      expect(scene.log.find(({ level }) => level === 'error')).toMatchObject({
        message: 'failed to call model',
        fields: { kind: code, threadId, messageId: threadId, status: code === 'model-status' ? 500 : null },
      });
      expect(JSON.stringify(scene.log)).not.toContain('hello');
    },
  );

  it.each(['headers', 'body'] as const)(
    'gives up after 30 s, also when only the %s hang [TC-45, TC-44]',
    async (at) => {
      await using scene = await startScene();
      const { discord, lmStudio, clock } = scene;
      lmStudio.misbehave({ kind: 'hang', at });
      const { id: threadId } = discord.people.say('alice', discord.generalId, '遅いね', { mention: true });
      await lmStudio.until(() => lmStudio.inputs().length === 1);
      clock.advance(29_999);
      await discord.until(() => discord.countRequests('POST /channels/:channel/typing') > 3);
      expect(discord.countRequests('POST /channels/:channel/messages')).toBe(0);
      clock.advance(1);
      const [said = ''] = await scene.answers(threadId, 1);

      expect(visible(said)).toBe(textsJa.fallback['model-timeout']);
      await lmStudio.until(() => lmStudio.requests.some(({ state }) => state === 'abandoned'));
    },
  );

  it('keeps such notices out of what the model is told later, also after a restart [TC-44, TC-37]', async () => {
    await using scene = await startScene({
      lmStudio: { script: () => 'ok' },
      environment: { FALLBACK_STATUS: 'ごめんなさい。' },
    });
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'status', status: 503 });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    const [notice = ''] = await scene.answers(threadId, 1);
    await scene.stop();
    await scene.start();
    discord.people.say('alice', threadId, 'two');
    await scene.answers(threadId, 2);

    expect(isNotice(notice)).toBe(true);
    expect(visible(notice)).toBe('ごめんなさい。');
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: one\nuser: alice: two');
  });

  const tooLong =
    'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.';
  const overflow = { kind: 'status', status: 400, message: tooLong } as const;

  it('asks again with half of the conversation until it fits the window', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const threadId = discord.people.startThread('bob', discord.generalId, { title: 'plans' });
    discord.people.fill(threadId, 40, { text: (index) => `${index}. ${'x'.repeat(300)}` });
    lmStudio.misbehave(overflow);
    lmStudio.misbehave(overflow);
    discord.people.say('alice', threadId, 'the question', { mention: true });

    expect(await scene.answers(threadId, 1)).toEqual(['ok']);
    const inputs = lmStudio.inputs();
    const [first = 0, second = 0, third = 0] = inputs.map(({ length }) => length);
    expect(second).toBeLessThanOrEqual(first / 2);
    expect(third).toBeLessThanOrEqual(second / 2);
    expect(third).toBeGreaterThan(2_000);
    expect(inputs.every((input) => input.endsWith('user: alice: the question'))).toBe(true);
    expect(inputs[2]).toContain('39. x');
  });

  it('says that a message is too long if nothing of it can be left out any more', async () => {
    await using scene = await startScene();
    const { discord, lmStudio } = scene;
    for (let times = 0; times < 20; times += 1) lmStudio.misbehave(overflow);
    const text = 'y'.repeat(1_900);
    const { id: threadId } = discord.people.say('alice', discord.generalId, text, { mention: true });
    const [said = ''] = await scene.answers(threadId, 1);

    expect(visible(said)).toBe(textsEn.fallback['model-too-long']);
    expect(lmStudio.inputs().length).toBeLessThan(6);
    expect(scene.log.find(({ level }) => level === 'error')).toMatchObject({
      fields: { kind: 'model-too-long', status: 400 },
    });
    expect(JSON.stringify(scene.log)).not.toContain('yyyy');
  });

  it('says that an answer is empty, or that it is cut off [TC-44]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'a long answer' } });
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'no-output' });
    lmStudio.misbehave({ kind: 'incomplete', reason: 'max_output_tokens' });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    discord.people.say('alice', threadId, 'two');

    expect((await scene.answers(threadId, 3)).map(visible)).toEqual(
      [textsEn.emptyAnswer, 'a long ', textsEn.cutOff].map((text) => text.trim()),
    );
  });

  it('asks what is wanted when a mention says nothing [TC-39, TC-48]', async () => {
    await using scene = await startScene();
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, '', { mention: true });
    const [said = ''] = await scene.answers(threadId, 1);

    expect(visible(said)).toBe(textsEn.askForQuestion);
    expect(discord.threads()).toMatchObject([{ name: 'suzume: conversation' }]);
    expect(lmStudio.inputs()).toEqual([]);
  });
});
