import { understandingSchema } from '@agent/pre-planning';
import { readJsonAnswer } from '@agent/text/json';
import { measureWithin, type RoundTime } from '../clean/measure-clean.ts';
import { fill } from '../clean/worst-inputs.ts';
import { findMedian } from '../statistics.ts';
import { readWithExpressions } from './read-with-expressions.ts';

/** What one reading took, in milliseconds. */
export interface BatchTime {
  readonly byClock: number;
  readonly byProcessor: number;
  /** Of the processor, in the fastest round. */
  readonly fastest: number;
}

/** An answer made to take long, read both ways; null where expressions were stopped. */
export interface HostileTimes {
  readonly pattern: string;
  readonly ours: BatchTime;
  readonly expressions: RoundTime | null;
}

export const hostileChars = 140_000;
export const limitMs = 2_000;
const rounds = 5;
/** The clock of the processor ticks too slowly for one reading. */
const batch = 25;

const patterns = [
  '<think>',
  '</think>',
  '<think></think>',
  '<think>{',
  '```{',
  '```json\n{',
  '{',
  '[',
  '[{',
  '{}',
  '{"a":{}}',
  '{"a"',
  '{"a":"',
  '{"a":1,',
  "{'",
  '{/*',
  '{"a":"b" "c" "',
  '{"a":"x\n',
  '{“</',
  '{“x\n',
  '\n{"a',
  '{"a":"b\\u0041',
  '{"a":"\\x',
  '{"a":"b"+',
  '{"a":"b",\'c\'',
  '{"required_information":[{},',
  '"',
  '\\',
  '}',
];

/** Reads 140 KB of each pattern. */
export function measureHostile(): readonly HostileTimes[] {
  return patterns.map((pattern) => {
    const text = fill(pattern, hostileChars);
    return {
      pattern: JSON.stringify(pattern),
      ours: measureBatches(() => readJsonAnswer(text, understandingSchema)),
      expressions: measureWithin(text, readWithExpressions, limitMs),
    };
  });
}

function measureBatches(read: () => unknown): BatchTime {
  const times = Array.from({ length: rounds }, () => {
    const processor = process.threadCpuUsage();
    const start = performance.now();
    for (let count = 0; count < batch; count += 1) read();
    const byClock = (performance.now() - start) / batch;
    const { user, system } = process.threadCpuUsage(processor);
    return { byClock, byProcessor: (user + system) / 1_000 / batch };
  });
  const byProcessor = times.map((time) => time.byProcessor);
  return {
    byClock: findMedian(times.map((time) => time.byClock)),
    byProcessor: findMedian(byProcessor),
    fastest: Math.min(...byProcessor),
  };
}
