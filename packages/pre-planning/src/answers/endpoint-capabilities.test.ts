import type { FaultyModelRequest, ModelReaction } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type Climb, good, question, refuse, say, startLadder } from '../../test/ladder-setup.ts';
import { createAnswerLadder } from './create-structured-output.ts';

const prose = say('I would mend it.', 'no-call');

describe('what a ladder learns of its endpoint', () => {
  let climbed: Climb;
  afterEach(() => climbed.server.close());

  async function climb(script: (request: FaultyModelRequest, index: number) => ModelReaction) {
    climbed = await startLadder(script);
    return climbed;
  }

  it('finds out once what the endpoint refuses, and remembers it', async () => {
    const { ladder, rungs } = await climb(({ path, mode }) =>
      path === '/v1/responses' ? refuse(404) : mode === 'chat-format' ? refuse(400) : say(good),
    );
    expect(await ladder.ask(question)).toMatchObject({ status: 'answered', rung: 'tool', calls: 1 });
    await ladder.ask(question);
    expect(rungs()).toEqual(['format', 'chat-format', 'tool', 'tool']);
    expect(ladder.knowledge()).toEqual({ format: 'refuses', 'chat-format': 'refuses', tool: 'works' });
    const known = ladder.knowledge();
    const { model, chatModel } = climbed.server;
    const next = createAnswerLadder({ model, chatModel, known });
    await next.ask(question);
    expect(rungs().at(-1)).toBe('tool');
  });

  it('leaves out what gives no JSON where another way gives it', async () => {
    const { ladder, rungs } = await climb(({ mode }) => (mode === 'format' ? prose : say(good)));
    expect(await ladder.ask(question)).toMatchObject({ rung: 'chat-format', calls: 2 });
    expect(await ladder.ask(question)).toMatchObject({ rung: 'chat-format', calls: 1 });
    expect(rungs()).toEqual(['format', 'chat-format', 'chat-format']);
    expect(ladder.knowledge()).toEqual({ format: 'ignores', 'chat-format': 'works' });
  });

  it('keeps to a way whose answers can be read, whatever stands around them', async () => {
    const { ladder, rungs } = await climb(() =>
      say(`<think>{}</think>Here it is:\n\`\`\`json\n${good}\n\`\`\``),
    );
    expect(await ladder.ask(question)).toMatchObject({ rung: 'format', way: 'extracted', calls: 1 });
    expect(await ladder.ask(question)).toMatchObject({ rung: 'format', way: 'extracted', calls: 1 });
    expect(rungs()).toEqual(['format', 'format']);
    expect(ladder.knowledge()).toEqual({});
  });

  it('learns nothing from a question that is answered with prose in every way', async () => {
    const { ladder, rungs } = await climb((_, index) => (index < 4 ? prose : say(good)));
    expect(await ladder.ask(question)).toMatchObject({ status: 'unreadable' });
    expect(ladder.knowledge()).toEqual({});
    expect(await ladder.ask(question)).toMatchObject({ rung: 'format', calls: 1 });
    expect(rungs()).toEqual(['format', 'chat-format', 'tool', 'text', 'format']);
  });

  it.each([
    ['breaks off before its JSON', say('First of all,', 'cut-off')],
    ['is JSON of another form', say('{"aim": "a"}')],
    ['is an error of the server', refuse(500)],
  ])('learns nothing against a way when an answer %s', async (_, reaction) => {
    const { ladder } = await climb((__, index) => (index === 0 ? reaction : say(good)));
    expect(await ladder.ask(question)).toMatchObject({ status: 'answered', rung: 'chat-format' });
    expect(ladder.knowledge()).toEqual({ 'chat-format': 'works' });
  });

  it.each([429, 502, 503])('neither goes down nor learns anything where the status is %d', async (status) => {
    const { ladder, rungs } = await climb(() => refuse(status));
    await expect(ladder.ask(question)).rejects.toMatchObject({ code: 'model-unavailable' });
    expect(rungs()).toEqual(['format']);
    expect(ladder.knowledge()).toEqual({});
  });

  it.each([
    ['prose', prose, 'ignores'],
    ['a refusal', refuse(400), 'refuses'],
  ] as const)(
    'does not give up what works for %s, but for a second one in a row',
    async (_, reaction, lesson) => {
      let isSpoilt = false;
      const { ladder } = await climb(({ mode }) => (isSpoilt && mode === 'format' ? reaction : say(good)));
      const ask = async (spoil: boolean) => {
        isSpoilt = spoil;
        await ladder.ask(question);
        return ladder.knowledge().format;
      };
      expect(await ask(false)).toBe('works');
      expect(await ask(true)).toBe('works');
      expect(await ask(false)).toBe('works');
      expect(await ask(true)).toBe('works');
      expect(await ask(true)).toBe(lesson);
    },
  );

  it('begins at the top again with each twentieth question, and keeps to what works there by then', async () => {
    let isLoaded = false;
    const { ladder, rungs } = await climb(({ mode }) =>
      mode === 'tool' || isLoaded ? say(good) : refuse(404),
    );
    for (let count = 1; count <= 19; count += 1) await ladder.ask(question);
    expect(rungs()).toEqual(['format', 'chat-format', ...Array.from({ length: 19 }, () => 'tool')]);
    isLoaded = true;
    for (let count = 20; count <= 22; count += 1) await ladder.ask(question);
    expect(rungs().slice(-3)).toEqual(['format', 'format', 'format']);
    expect(ladder.knowledge()).toEqual({ format: 'works', 'chat-format': 'refuses', tool: 'works' });
  });
});
