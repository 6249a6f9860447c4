import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { type Scene, startScene } from './bot/start-scene.ts';

/** Lets the model say one word after the other, each when it is let. */
function createPace() {
  const gates = new Map<number, PromiseWithResolvers<void>>();
  const gate = (number: number): PromiseWithResolvers<void> => {
    const known = gates.get(number) ?? Promise.withResolvers<void>();
    gates.set(number, known);
    return known;
  };
  return { pace: (number: number) => gate(number).promise, say: (number: number) => gate(number).resolve() };
}

async function startStreaming() {
  const { pace, say } = createPace();
  const scene = await startScene({
    environment: { STREAM: 'true' },
    lmStudio: { script: () => 'one two three four', pace },
  });
  return { scene, say };
}

const visible = (text = ''): string => text.replace(/[\u200b-\u200d\u2060]/g, '');

/** Waits until the last message of the only thread reads like this. */
function untilShown({ discord }: Scene, text: string): Promise<unknown> {
  return discord.until(() => {
    const [thread] = discord.threads();
    return thread !== undefined && visible(discord.lastMessages(thread.id, 1)[0]?.content) === text;
  });
}

describe('an answer that is streamed', () => {
  it('grows by edits, at most one a second, and stands whole at the end [TC-1, TC-54]', async () => {
    const { scene, say } = await startStreaming();
    await using _ = scene;
    const { discord, clock } = scene;
    const edits = () => discord.countRequests('PATCH /channels/:channel/messages/:message');
    discord.people.say('alice', discord.generalId, 'count', { mention: true });
    say(0);
    await untilShown(scene, 'one\n⏳');
    for (const [number, text] of ['one two\n⏳', 'one two three\n⏳', 'one two three four'].entries()) {
      say(number + 1);
      await clock.untilWaiting(1_000);
      clock.advance(999);
      expect(edits()).toBe(number);
      clock.advance(1);
      await untilShown(scene, text);
    }
    await scene.stop();

    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
    expect(edits()).toBe(3);
  });

  it('keeps what was shown when it breaks off, and says that it did [TC-44, TC-42]', async () => {
    const { scene, say } = await startStreaming();
    await using _ = scene;
    const { discord, lmStudio } = scene;
    lmStudio.misbehave({ kind: 'reset', at: 'body' });
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'count', { mention: true });
    say(0);
    await untilShown(scene, 'one\n⏳');
    say(1);
    const said = await scene.answers(threadId, 2);

    expect(said[0]).toBe('one');
    expect(visible(said[1])).toBe(textsEn.fallback['model-unreachable']);
  });
});
