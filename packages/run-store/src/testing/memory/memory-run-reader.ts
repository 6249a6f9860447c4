import { ContextStoreError } from '../../context-store-error.ts';
import type { LineBounds } from '../../disk/lines.ts';
import { addRuns, type TaskIndex } from '../../index/indexed-run.ts';
import { toIndexedRun } from '../../index/read-indexed-run.ts';
import { toRecentRun } from '../../index/recent-runs.ts';
import type { HistoryEntry } from '../../journal/read-journal.ts';
import type { JournalEntry } from '../../journal-model.ts';
import { planningFact, toPlanningLine } from '../../lines/planning-line.ts';
import type { PausedRun } from '../../lines/task-state.ts';
import { listOpenKinds } from '../../record/outbox-ledger.ts';
import type { JsonObject } from '../../run-model.ts';
import type { LineKind, RunLines, RunReader, UnfinishedRuns } from '../../run-reader.ts';
import { isOfThread } from '../../store/require-alone.ts';
import { copyJson, type MemoryPlace, type MemoryRun } from './memory-place.ts';

type Places = Pick<MemoryPlace, 'runs'>;

/** Reads the runs of a place as any process can. */
export function createMemoryRunReader<Message>(place: Places): RunReader<Message> {
  return {
    readOverview: async ({ recent }) => {
      const ended = listPlace(place, 'completed').slice(-recent).toReversed();
      const { runs: running, ...unfinished } = listUnfinished(place);
      return {
        ...{ ...unfinished, running, paused: listWaiting(place) },
        recent: ended.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)),
      };
    },
    listRunning: async ({ of } = {}) =>
      listUnfinished(place).runs.filter(({ metadata }) => of === undefined || isOfThread(metadata, of)),
    readRun: async (name) => {
      const run = findMemoryRun(place, name);
      const { metadata, pause, outcome } = run;
      return {
        ...{ uuid: metadata.uuid, metadata, pause, outcome },
        place: run.place,
        location: `memory, ${run.place}`,
        state: { read: async (name) => copyJson(run.values.get(name) ?? null) },
        history: () => readMemoryHistory<Message>(run),
      };
    },
    listKept: async () => new Set(place.runs.keys()),
  };
}

/** Finds the runs of a place that ended, by their task. */
export function createMemoryTaskIndex(place: Places): Pick<TaskIndex, 'find'> {
  return {
    find: async ({ taskKeyHash, host }) => {
      const runs = [...place.runs.values()].filter(
        (run) => run.metadata.taskKeyHash === taskKeyHash && isFound(run),
      );
      const found = addRuns(
        [],
        runs.flatMap((run) => describeEnd(run) ?? []),
      );
      return found.filter((run) => run.host === host);
    },
  };
}

function isFound({ place, isIndexed, outcome }: MemoryRun): boolean {
  return place === 'completed' || (isIndexed && outcome !== null);
}

function describeEnd({ metadata, outcome, lines }: MemoryRun) {
  const summary = copyJson(lines.summaries.at(-1) ?? null) as JsonObject | null;
  return toIndexedRun(metadata, { outcome, summary, isUsable: summary !== null });
}

/** Reads lines of runs that ended. */
export function createMemoryRunLines(place: Places): RunLines {
  return {
    readLast: async <Kind extends LineKind>(uuid: string, wanted: Readonly<Record<Kind, LineBounds>>) => {
      const run = place.runs.get(uuid);
      if (run === undefined || run.place === 'paused') return null;
      const all = { ...run.lines, planning: listPlanningLines(run) };
      const listed = Object.entries<LineBounds>(wanted).map(([kind, { limit }]) => {
        const lines = all[kind as LineKind];
        return [kind, lines.slice(Math.max(0, lines.length - limit)).map((line) => JSON.stringify(line))];
      });
      return Object.fromEntries(listed);
    },
  };
}

function listPlanningLines({ entries, metadata }: MemoryRun): readonly object[] {
  const facts = entries.filter((entry) => entry.type === 'fact' && entry.name === planningFact);
  return facts.flatMap((fact) =>
    fact.type === 'fact' ? (JSON.parse(toPlanningLine(fact, metadata) ?? '{}') as object) : [],
  );
}

/** Finds a run by its uuid, or by the beginning of it. @throws {ContextStoreError} `invalid` when there is none */
export function findMemoryRun({ runs }: Places, name: string): MemoryRun {
  const run = [...runs.values()].find(({ metadata }) => metadata.uuid.startsWith(name));
  if (run !== undefined && name.length >= 4) return run;
  throw new ContextStoreError(`No run begins with "${name}".`, { code: 'invalid' });
}

/** Unfinished runs, the oldest first. */
export function listUnfinished(place: Places): UnfinishedRuns {
  const found = listPlace(place, 'running').toSorted((a, b) =>
    a.metadata.createdAt < b.metadata.createdAt ? -1 : 1,
  );
  const isPausing = ({ outcome, pause }: MemoryRun) =>
    (outcome === null || outcome.status === 'needs_input') && pause?.status === 'paused';
  return {
    runs: found
      .filter((run) => !isPausing(run))
      .map(({ metadata, outcome, outbox }) => ({
        uuid: metadata.uuid,
        metadata,
        outcome,
        openIntents: listOpenKinds(outbox),
      })),
    damaged: [],
    pausing: found.filter(isPausing).flatMap(toPausedRun),
  };
}

/** Waiting runs, the longest waiting first. */
export function listWaiting(place: Places): readonly PausedRun[] {
  const found = listPlace(place, 'paused').flatMap(toPausedRun);
  return found.toSorted((a, b) => (a.state.pausedAt < b.state.pausedAt ? -1 : 1));
}

function toPausedRun({ metadata, pause }: MemoryRun): readonly PausedRun[] {
  return pause === null ? [] : [{ uuid: metadata.uuid, metadata, state: pause }];
}

function listPlace({ runs }: Places, wanted: MemoryRun['place']): readonly MemoryRun[] {
  return [...runs.values()].filter(({ place }) => place === wanted);
}

/** Messages, summaries and facts, as far as they are there when they are read. */
export async function* readMemoryJournal<Message>(run: MemoryRun): AsyncGenerator<JournalEntry<Message>> {
  for await (const entry of readMemoryHistory<Message>(run)) if (entry.type !== 'tool') yield entry;
}

async function* readMemoryHistory<Message>({ entries }: MemoryRun): AsyncGenerator<HistoryEntry<Message>> {
  for (const entry of entries) yield copyJson(entry) as HistoryEntry<Message>;
}
