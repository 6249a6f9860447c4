import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../report.ts';
import { findMedian } from '../statistics.ts';
import { type JournalFigures, toJournalReport } from './journal-report.ts';
import { type JournalCosts, type MeasureOptions, measureEarlier, measureJournal } from './measure-journal.ts';

const rounds = 5;
const messageCounts = [250, 500, 1_000, 2_000] as const;

/** What it costs to keep a run of many messages, beside the way of the earlier agent, which read all of them anew. */
export const journalBench: Bench = {
  name: 'journal',
  run: async ({ onProgress }) => {
    const directory = await mkdtemp(join(tmpdir(), 'journal-bench-'));
    try {
      await measureJournal({ directory, messages: 500, sync: false });
      const figures: JournalFigures[] = [];
      for (const sync of [false, true]) {
        for (const messages of messageCounts) {
          onProgress(`${messages} messages, ${sync ? 'each on the disk' : 'without waiting for the disk'}`);
          figures.push(await compare({ directory, messages, sync }));
        }
      }
      return toJournalReport(figures, { rounds });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** The earlier way is measured once, between rounds of ours: it takes long enough. */
async function compare(options: MeasureOptions): Promise<JournalFigures> {
  const ours: JournalCosts[] = [];
  const before = Math.ceil(rounds / 2);
  for (let round = 0; round < before; round += 1) ours.push(await measureJournal(options));
  const earlier = await measureEarlier(options);
  for (let round = before; round < rounds; round += 1) ours.push(await measureJournal(options));
  const { messages, sync } = options;
  return { messages, sync, ours: toMedians(ours), earlier };
}

function toMedians(costs: readonly JournalCosts[]): JournalCosts {
  return {
    totalMs: findMedian(costs.map(({ totalMs }) => totalMs)),
    processorMs: findMedian(costs.map(({ processorMs }) => processorMs)),
    bookkeepingMs: findMedian(costs.map(({ bookkeepingMs }) => bookkeepingMs)),
    bytes: findMedian(costs.map(({ bytes }) => bytes)),
  };
}
