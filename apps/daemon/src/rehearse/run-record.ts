import { openReader, TaskBoard, toRunSummaries } from '@agent/orchestrator';
import { createRunsWatch, type RunView } from '@agent/orchestrator/watch';
import type { RunStorage } from '@agent/run-store';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';

/** Reads the record of the one run of a rehearsal. */
export interface RehearsedRun {
  /** Null before the run begins. */
  readonly read: () => Promise<RunView | null>;
  /** Counts how often the model was shown each revision of a comment, by `id revision kind`. */
  readonly countDeliveries: () => Promise<ReadonlyMap<string, number>>;
}

/** Options of a record. */
export interface RehearsedRunOptions {
  readonly storage: RunStorage;
  /** Address of the issue. */
  readonly url: string;
  readonly now: () => number;
}

const deliveriesSchema = z.object({
  delivers: z.array(z.object({ id: z.string(), revision: z.string(), kind: z.string() })),
});
/** Lines that are read at once. */
const linesAtOnce = 500;

/** Opens the record of the run on this issue, beside the daemon that writes it. */
export function openRehearsedRun({ storage, url, now }: RehearsedRunOptions): RehearsedRun {
  const overview = openReader(storage);
  const { reader } = createRunsWatch({
    ...{ storage, board: new TaskBoard({ now }), queue: null, logger: { warn: () => {} } },
    redact: (text) => text,
    about: { locale: 'en', model: () => null },
    budgets: { money: null, requests: () => [] },
    clock: { now, sleep: async () => {} },
  });
  let found: string | null = null;
  const findUuid = async (): Promise<string | null> => {
    if (found !== null) return found;
    const runs = toRunSummaries(await overview.readOverview({ recent: 10 }));
    found = runs.find((run) => run.url === url)?.uuid ?? null;
    return found;
  };
  return {
    read: async () => {
      const uuid = await findUuid();
      return uuid === null ? null : reader.readRun(uuid, { from: 0, limit: 0 });
    },
    countDeliveries: async () => {
      const counts = new Map<string, number>();
      const uuid = await findUuid();
      for (let from = 1; uuid !== null; from += linesAtOnce) {
        const page = await reader.readLines(uuid, { from, limit: linesAtOnce });
        if (page === null || page.lines.length === 0) break;
        for (const text of page.lines)
          for (const { id, revision, kind } of deliveriesSchema.safeParse(parseJson(text)).data?.delivers ??
            [])
            counts.set(`${id} ${revision} ${kind}`, (counts.get(`${id} ${revision} ${kind}`) ?? 0) + 1);
      }
      return counts;
    },
  };
}
