import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, readResponseStream } from './read-response-stream.ts';

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
