import type { FaultyModelRequest, ModelReaction } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type Climb, good, question, refuse, say, startLadder } from '../../test/output-setup.ts';
import { createStructuredOutput } from './create-structured-output.ts';

const prose = say('I would mend it.', 'no-call');

describe('what structured output learns of its endpoint', () => {
  let climbed: Climb;
  afterEach(() => climbed.server.close());

  async function climb(script: (request: FaultyModelRequest, index: number) => ModelReaction) {
    climbed = await startLadder(script);
    return climbed;
  }

  it('finds out once what the endpoint refuses, and remembers it', async () => {
    const { output, modes } = await climb(({ path, mode }) =>
      path === '/v1/responses' ? refuse(404) : mode === 'chat-format' ? refuse(400) : say(good),
    );
    expect(await output.ask(question)).toMatchObject({ status: 'answered', mode: 'tool', calls: 1 });
    await output.ask(question);
    expect(modes()).toEqual(['format', 'chat-format', 'tool', 'tool']);
    expect(output.capabilities()).toEqual({ format: 'refuses', 'chat-format': 'refuses', tool: 'works' });
    const known = output.capabilities();
    const { model, chatModel } = climbed.server;
    const next = createStructuredOutput({ model, chatModel, known });
    await next.ask(question);
    expect(modes().at(-1)).toBe('tool');
  });

  it('leaves out what gives no JSON where another way gives it', async () => {
    const { output, modes } = await climb(({ mode }) => (mode === 'format' ? prose : say(good)));
    expect(await output.ask(question)).toMatchObject({ mode: 'chat-format', calls: 2 });
    expect(await output.ask(question)).toMatchObject({ mode: 'chat-format', calls: 1 });
    expect(modes()).toEqual(['format', 'chat-format', 'chat-format']);
    expect(output.capabilities()).toEqual({ format: 'ignores', 'chat-format': 'works' });
  });

  it('keeps to a way whose answers can be read, whatever stands around them', async () => {
    const { output, modes } = await climb(() =>
      say(`<think>{}</think>Here it is:\n\`\`\`json\n${good}\n\`\`\``),
    );
    expect(await output.ask(question)).toMatchObject({ mode: 'format', way: 'extracted', calls: 1 });
    expect(await output.ask(question)).toMatchObject({ mode: 'format', way: 'extracted', calls: 1 });
    expect(modes()).toEqual(['format', 'format']);
    expect(output.capabilities()).toEqual({});
  });

  it('learns nothing from a question that is answered with prose in every way', async () => {
    const { output, modes } = await climb((_, index) => (index < 4 ? prose : say(good)));
    expect(await output.ask(question)).toMatchObject({ status: 'unreadable' });
    expect(output.capabilities()).toEqual({});
    expect(await output.ask(question)).toMatchObject({ mode: 'format', calls: 1 });
    expect(modes()).toEqual(['format', 'chat-format', 'tool', 'text', 'format']);
  });

  it.each([
    ['breaks off before its JSON', say('First of all,', 'cut-off')],
    ['is JSON of another form', say('{"aim": "a"}')],
    ['is an error of the server', refuse(500)],
  ])('learns nothing against a way when an answer %s', async (_, reaction) => {
    const { output } = await climb((__, index) => (index === 0 ? reaction : say(good)));
    expect(await output.ask(question)).toMatchObject({ status: 'answered', mode: 'chat-format' });
    expect(output.capabilities()).toEqual({ 'chat-format': 'works' });
  });

  it.each([429, 502, 503])('neither goes down nor learns anything where the status is %d', async (status) => {
    const { output, modes } = await climb(() => refuse(status));
    await expect(output.ask(question)).rejects.toMatchObject({ code: 'model-unavailable' });
    expect(modes()).toEqual(['format']);
    expect(output.capabilities()).toEqual({});
  });

  it.each([
    ['prose', prose, 'ignores'],
    ['a refusal', refuse(400), 'refuses'],
  ] as const)(
    'does not give up what works for %s, but for a second one in a row',
    async (_, reaction, capability) => {
      let isSpoilt = false;
      const { output } = await climb(({ mode }) => (isSpoilt && mode === 'format' ? reaction : say(good)));
      const ask = async (spoil: boolean) => {
        isSpoilt = spoil;
        await output.ask(question);
        return output.capabilities().format;
      };
      expect(await ask(false)).toBe('works');
      expect(await ask(true)).toBe('works');
      expect(await ask(false)).toBe('works');
      expect(await ask(true)).toBe('works');
      expect(await ask(true)).toBe(capability);
    },
  );

  it('begins at the top again with each twentieth question, and keeps to what works there by then', async () => {
    let isLoaded = false;
    const { output, modes } = await climb(({ mode }) =>
      mode === 'tool' || isLoaded ? say(good) : refuse(404),
    );
    for (let count = 1; count <= 19; count += 1) await output.ask(question);
    expect(modes()).toEqual(['format', 'chat-format', ...Array.from({ length: 19 }, () => 'tool')]);
    isLoaded = true;
    for (let count = 20; count <= 22; count += 1) await output.ask(question);
    expect(modes().slice(-3)).toEqual(['format', 'format', 'format']);
    expect(output.capabilities()).toEqual({ format: 'works', 'chat-format': 'refuses', tool: 'works' });
  });
});
