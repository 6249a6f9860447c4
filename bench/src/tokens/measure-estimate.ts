import { performance } from 'node:perf_hooks';
import { findMedian, findPercentile } from '../statistics.ts';
import type { Corpus } from './read-corpora.ts';

/** How near an estimate comes to a tokenizer's count. */
export interface EstimateFigures {
  readonly corpus: Corpus['name'];
  readonly charactersPerToken: number;
  /** Share by which the whole corpus is estimated too high; negative for too low. */
  readonly total: number;
  /** Of a chunk, whichever side it errs to: what 19 of 20 chunks stay below. */
  readonly ninetyFifth: number;
  /** Of the chunk that is estimated lowest. */
  readonly lowest: number;
  /** Megabytes of UTF-8 that are estimated in a second of processor time. */
  readonly megabytesPerSecond: number;
}

type Count = (text: string) => number;

const chunkLength = 2_000;
const rounds = 7;

/** Compares chunk by chunk. */
export function measureEstimate(
  { name, text }: Corpus,
  { estimate, count }: { readonly estimate: Count; readonly count: Count },
): EstimateFigures {
  const chunks = Array.from({ length: Math.floor(text.length / chunkLength) }, (_, index) =>
    text.slice(index * chunkLength, (index + 1) * chunkLength),
  );
  const pairs = chunks.map((chunk) => ({ estimated: estimate(chunk), counted: count(chunk) }));
  const errors = pairs.map(({ estimated, counted }) => estimated / counted - 1);
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  const counted = sum(pairs.map((pair) => pair.counted));
  return {
    corpus: name,
    charactersPerToken: (chunks.length * chunkLength) / counted,
    total: sum(pairs.map(({ estimated }) => estimated)) / counted - 1,
    ninetyFifth: findPercentile(errors.map(Math.abs), 0.95),
    lowest: Math.min(...errors),
    megabytesPerSecond: measureSpeed(text, estimate),
  };
}

function measureSpeed(text: string, estimate: Count): number {
  const megabytes = Buffer.byteLength(text) / 1_000_000;
  const times = Array.from({ length: rounds }, () => {
    const { user, system } = process.cpuUsage();
    for (let time = 0; time < rounds; time += 1) estimate(text);
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / 1_000_000 / rounds;
  });
  return megabytes / findMedian(times);
}

/** Milliseconds that one call holds up everything else, at the fastest of some rounds: what the machine adds is not in it. */
export function measureStall(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
