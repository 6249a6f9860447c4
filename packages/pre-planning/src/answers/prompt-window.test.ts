import type { FaultyModelRequest } from '@agent/simulators/model';
import { estimateTokens } from '@agent/text';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { good, say } from '../../test/output-setup.ts';
import { sampleRequest } from '../../test/sample-request.ts';
import { RequestUnderstandingProcessor } from '../understanding/request-understanding-processor.ts';
import { createStructuredOutput } from './create-structured-output.ts';

describe('A question', () => {
  let server: ModelServer | null = null;
  afterEach(() => server?.close());

  /** A model with a window of this many characters. */
  async function understand(
    { window, contextLength }: { readonly window: number; readonly contextLength?: number },
    answers: readonly string[] = [],
  ) {
    const isTooLong = ({ written }: FaultyModelRequest) => written.length > window;
    const left = [...answers];
    server = await startModelServer((request) =>
      isTooLong(request) ? tooLong : say(left.shift() ?? good, 'no-call'),
    );
    const source = createStructuredOutput({ model: server.model, contextLength, maxRetries: 0 });
    const comments = Array.from({ length: 300 }, (_, index) => ({
      author: 'mona',
      createdAt: '2026-11-01T10:00:00Z',
      body: `Comment ${index}: ${'the total is wrong in many places. '.repeat(20)}`,
      isTrusted: true,
    }));
    const request = { ...sampleRequest, body: 'It is 金額 that is wrong. '.repeat(3_000), comments };
    const processor = new RequestUnderstandingProcessor(source);
    const analyzed = await processor.analyzeRequest(request);
    return { ...analyzed, requests: server.requests, again: () => processor.analyzeRequest(request) };
  }

  const tooLong = {
    kind: 'refuse',
    status: 400,
    body: { error: { message: "This model's maximum context length is exceeded." } },
  } as const;

  it.each([2_000, 8_000, 32_000, 200_000])('fits a window of %i tokens', async (contextLength) => {
    const { isMinimal, requests } = await understand({ window: 4_000_000, contextLength });
    expect(isMinimal).toBe(false);
    expect(requests).toHaveLength(1);
    const [written = ''] = requests.map((request) => request.written);
    expect(estimateTokens(written)).toBeLessThan(contextLength * 0.85);
    expect(written).toContain('Answer with this one JSON object');
    expect(written).toContain(sampleRequest.title);
  });

  it('is asked again with less if the endpoint refuses its length, and later questions begin with less', async () => {
    const { isMinimal, requests, again } = await understand({ window: 30_000 });
    expect(isMinimal).toBe(false);
    const lengths = requests.map(({ written }) => written.length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.at(-1)).toBeLessThanOrEqual(30_000);
    expect(requests.at(-1)?.written).toContain('Answer with this one JSON object');
    expect(requests.map(({ mode }) => mode)).toEqual(lengths.map(() => 'format'));
    expect(await again()).toMatchObject({ isMinimal: false });
    expect(requests).toHaveLength(lengths.length + 1);
  });

  it('fits together with a long answer that could not be read', async () => {
    const { isMinimal, requests } = await understand({ window: 4_000_000, contextLength: 4_000 }, [
      'I would fix it. '.repeat(2_000),
    ]);
    expect(isMinimal).toBe(false);
    expect(requests.map(({ written }) => estimateTokens(written) < 4_000)).toEqual([true, true]);
    expect(requests[1]?.written).toContain('could not be read');
  });
});
