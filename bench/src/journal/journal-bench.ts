import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../report.ts';
import { findMedian } from '../statistics.ts';
import { type JournalFigures, toJournalReport } from './journal-report.ts';
import {
  type JournalCosts,
  type MeasureOptions,
  measureBare,
  measureEarlier,
  measureJournal,
  measureSyncedJournal,
} from './measure-journal.ts';
import { measureResume, type ResumeFigures } from './measure-resume.ts';
import type { SampleKind } from './sample-messages.ts';

const rounds = 3;
const warmUpRounds = 10;
const messageCounts = [100, 200, 1_000, 2_000] as const;
const eventCounts = [100, 1_500] as const;
const kinds: readonly SampleKind[] = ['short', 'long'];

/**
 * What it costs to keep a run of many messages, beside the way of the earlier agent, which read all of them anew; and to
 * go on with it in a new process.
 */
export const journalBench: Bench = {
  name: 'journal',
  run: async ({ onProgress }) => {
    const directory = await mkdtemp(join(tmpdir(), 'journal-bench-'));
    try {
      const figures: JournalFigures[] = [];
      for (const kind of kinds) {
        await warmUp({ directory, messages: 200, kind });
        for (const messages of messageCounts) {
          onProgress(`${messages} messages with ${kind} outputs`);
          figures.push(await compare({ directory, messages, kind }));
        }
      }
      const resumes: ResumeFigures[] = [];
      for (const kind of kinds) {
        for (const events of eventCounts) {
          onProgress(`going on with ${events} events with ${kind} outputs`);
          resumes.push(await measureResume({ directory, events, kind }));
        }
      }
      return toJournalReport({ figures, resumes }, { rounds });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** The daemon is a process that lives for long: what is measured is code that was compiled. */
async function warmUp(options: MeasureOptions): Promise<void> {
  for (let round = 0; round < warmUpRounds; round += 1) {
    await measureJournal(options);
    await measureEarlier(options);
    measureBare(options);
  }
}

/** Rounds of all ways in turn: what disturbs one disturbs the others. */
async function compare(options: MeasureOptions): Promise<JournalFigures> {
  const ours: JournalCosts[] = [];
  const earlier: JournalCosts[] = [];
  const synced: JournalCosts[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measureJournal(options));
    earlier.push(await measureEarlier(options));
    synced.push(await measureSyncedJournal(options));
    bare.push(measureBare(options));
  }
  const { messages, kind } = options;
  return {
    messages,
    kind,
    ours: toMedians(ours),
    earlier: toMedians(earlier),
    synced: toMedians(synced),
    bareMs: findMedian(bare),
  };
}

function toMedians(costs: readonly JournalCosts[]): JournalCosts {
  return {
    totalMs: findMedian(costs.map(({ totalMs }) => totalMs)),
    processorMs: findMedian(costs.map(({ processorMs }) => processorMs)),
    bookkeepingMs: findMedian(costs.map(({ bookkeepingMs }) => bookkeepingMs)),
    bytes: findMedian(costs.map(({ bytes }) => bytes)),
  };
}
