import { expect, it } from 'vitest';
import { countValues } from './histogram.ts';
import { countModelCall, type ModelCall, type ModelCallCounts } from './model-calls.ts';

const call: ModelCall = {
  ...{ provider: 'openai.chat', model: 'm', durationMs: 1_500 },
  ...{ inputTokens: 300, outputTokens: 20, failure: null },
};

const count = (...calls: readonly ModelCall[]) =>
  calls.reduce(countModelCall, new Map<string, ModelCallCounts>() as ReadonlyMap<string, ModelCallCounts>);

it('counts requests by model, failed ones by the kind of their failure and without tokens [NX-406]', () => {
  const failed = { ...call, durationMs: 100_000, inputTokens: null, outputTokens: null, failure: 'timeout' };
  const [counts, ...others] = count(call, call, failed).values();
  expect(others).toEqual([]);
  expect(counts?.inputTokens.sum).toBe(600);
  expect(counts?.outputTokens.sum).toBe(40);
  const seconds = [...(counts?.seconds ?? [])];
  expect(seconds.map(([failure, histogram]) => [failure, countValues(histogram), histogram.sum])).toEqual([
    ['', 2, 3],
    ['timeout', 1, 100],
  ]);
});

it('has the bounds of the convention [NX-406]', () => {
  const [counts] = count(call).values();
  expect(counts?.inputTokens.bounds).toEqual([
    ...[1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144],
    ...[1_048_576, 4_194_304, 16_777_216, 67_108_864],
  ]);
  expect(counts?.seconds.get('')?.bounds).toEqual([
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
  ]);
});

it('names providers as the convention does, and their endpoints alike [NX-406]', () => {
  const name = (provider: string) => [...count({ ...call, provider }).values()].map((one) => one.provider);
  expect(name('openai.responses')).toEqual(['openai']);
  expect(name('google.generative-ai')).toEqual(['gcp.gemini']);
  expect(name('amazon-bedrock')).toEqual(['aws.bedrock']);
  expect(name('azure.responses')).toEqual(['azure.ai.inference']);
  expect(name('house.made')).toEqual(['house.made']);
  expect(count(call, { ...call, provider: 'openai.responses' }).size).toBe(1);
});
