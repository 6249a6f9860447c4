import { ThreadContextBuilder, type ThreadMessage, TranscriptFormatter } from '@agent/thread-context';
import { measureBatches, measureProcessor } from './measure-processor.ts';
import { extrapolateNaive, toLines, trimByRunningSum, trimNaively } from './plain-ways.ts';
import { botUserId, limits, makeHistory, toReader } from './sample-history.ts';

/** One length of history, all ways, in milliseconds of processor time for one transcript. */
export interface TranscriptTimes {
  readonly count: number;
  readonly ours: number;
  readonly stable: number;
  /** Reading and shaping every message, which both plain ways begin with. */
  readonly shaping: number;
  /** What follows it. */
  readonly runningSum: number;
  readonly naive: number;
  readonly isExtrapolated: boolean;
  /** Requests for messages that ours made. */
  readonly pages: number;
}

const mostMeasuredNaively = 10_000;
const often = { batches: 9, batchMs: 150 };

/** @throws when the ways do not give the same transcript */
export async function measureTranscript(count: number): Promise<TranscriptTimes> {
  const history = makeHistory(count);
  const lines = await toLines(history);
  const transcript = await createWriter(history, { stable: false })();
  expectSame(transcript, trimByRunningSum(lines));
  return {
    count,
    ours: await measureBatches(createWriter(history, { stable: false }), often),
    stable: await measureBatches(createWriter(history, { stable: true }), often),
    shaping: await measureBatches(() => toLines(history), often),
    runningSum: await measureBatches(() => trimByRunningSum(lines), often),
    ...(await measureNaive(lines, transcript)),
    pages: await countPages(history),
  };
}

function createWriter(
  history: readonly ThreadMessage[],
  { stable }: { stable: boolean },
): () => Promise<string> {
  const builder = new ThreadContextBuilder({ ...limits, stable });
  const formatter = new TranscriptFormatter();
  const reader = toReader(history);
  return async () => formatter.toTranscript(await builder.build(reader, botUserId));
}

async function countPages(history: readonly ThreadMessage[]): Promise<number> {
  const reader = toReader(history);
  await new ThreadContextBuilder(limits).build(reader, botUserId);
  return reader.countPages();
}

async function measureNaive(
  lines: readonly string[],
  transcript: string,
): Promise<Pick<TranscriptTimes, 'naive' | 'isExtrapolated'>> {
  if (lines.length > mostMeasuredNaively) {
    const kept = transcript.split('\n').length;
    const naive = await extrapolateNaive(lines, { kept, drops: 20, measure: measureProcessor });
    return { naive, isExtrapolated: true };
  }
  let written = '';
  const work = () => {
    written = trimNaively(lines);
  };
  const naive = lines.length > 1_000 ? await measureProcessor(work) : await measureBatches(work, often);
  expectSame(transcript, written);
  return { naive, isExtrapolated: false };
}

function expectSame(ours: string, other: string): void {
  if (ours !== other) throw new Error('The ways to compare do not give the same transcript.');
}
