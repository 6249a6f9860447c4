import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from './model-error.ts';
import { parseResponse, readEvents, readOutputText, readResponseStream } from './parse-response.ts';

const extract = (response: object): string => readOutputText(parseResponse(JSON.stringify(response)));
const message = (...content: object[]): object => ({ type: 'message', role: 'assistant', content });
const text = (said: string): object => ({ type: 'output_text', text: said });

describe('readOutputText', () => {
  it('puts the texts of all messages together and leaves out the rest [TC-53, TC-11]', () => {
    const output = [
      { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'thoughts' }] },
      message(text('one '), text('two')),
      { type: 'function_call', name: 'f', arguments: '{}' },
      message(text(' three\n')),
    ];
    expect(extract({ output })).toBe('one two three');
  });

  it('gives a refusal as what the model says [TC-53]', () => {
    expect(extract({ output: [message({ type: 'refusal', refusal: 'I would rather not.' })] })).toBe(
      'I would rather not.',
    );
  });

  it('reads what other servers send: plain content, only `output_text`, nulls [TC-53]', () => {
    expect(extract({ output: [{ type: 'message', content: 'plain' }] })).toBe('plain');
    expect(extract({ output: null, output_text: 'short' })).toBe('short');
    expect(extract({ error: null, output: [{ type: 'message', content: null }] })).toBe('');
    expect(extract({ output: [] })).toBe('');
  });
});

describe('parseResponse', () => {
  it.each([
    ['no JSON', '<html>', 'model-unreadable'],
    ['an array', '[]', 'model-unreadable'],
    ['no output', '{"id":"1"}', 'model-unreadable'],
    ['another shape', '{"output":"text"}', 'model-unreadable'],
    ['a failure', '{"status":"failed","output":[]}', 'model-failed'],
    ['an error beside an output', '{"error":{"code":"x"},"output":[]}', 'model-failed'],
  ])('tells %s [TC-42]', (_, given, code) => {
    const parse = (): unknown => {
      try {
        return parseResponse(given);
      } catch (error) {
        return ModelError.isInstance(error) ? error.code : error;
      }
    };
    expect(parse()).toBe(code);
  });
});

async function* chunksOf(...chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function collect(events: AsyncIterable<string>): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const data of events) collected.push(data);
  return collected;
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const delta = (text: string): string => event({ type: 'response.output_text.delta', delta: text });

describe('readEvents', () => {
  it('reads the same events however the stream is cut, with any ends of lines [TC-29]', async () => {
    const texts = ['{"a":1}', 'two\nlines', '最後'];
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = texts
        .map((text) => `event: x${end}${text.replace(/^/gm, 'data: ').split('\n').join(end)}${end}${end}`)
        .join(`: a comment${end}`);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: stream.length })), async (cuts) => {
          const at = [0, ...cuts.sort((one, other) => one - other), stream.length];
          const chunks = at.slice(1).map((cut, index) => stream.slice(at[index], cut));
          expect(await collect(readEvents(chunksOf(...chunks)))).toEqual(texts);
        }),
        { numRuns: 50 },
      );
    }
  });

  it('takes a last event that is not closed [TC-29]', async () => {
    expect(await collect(readEvents(chunksOf('data: one\n\ndata: two')))).toEqual(['one', 'two']);
  });
});

describe('readResponseStream', () => {
  it('puts the pieces together where the last event has no text [TC-29, TC-53]', async () => {
    const heard: string[] = [];
    const stream = chunksOf(
      delta('one '),
      'data: [DONE]\n\n',
      delta('two'),
      event({ type: 'response.completed' }),
    );
    expect(await readResponseStream(stream, (text) => heard.push(text))).toMatchObject({
      status: 'completed',
      output_text: 'one two',
    });
    expect(heard).toEqual(['one ', 'one two']);
  });

  it.each([
    ['ends before the answer', [delta('one')], 'model-unreadable'],
    ['reports an error', [delta('one'), event({ type: 'error', code: 'overloaded' })], 'model-failed'],
    ['ends in failure', [event({ type: 'response.failed', response: { status: 'failed' } })], 'model-failed'],
  ])('tells when the stream %s [TC-42]', async (_, chunks, code) => {
    await expect(readResponseStream(chunksOf(...chunks), () => {})).rejects.toMatchObject({ code });
  });
});
