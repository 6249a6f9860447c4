import { type LineBounds, takeLast } from '../../disk/lines.ts';
import { addRuns, type TaskIndex } from '../../index/indexed-run.ts';
import { toIndexedRun } from '../../index/read-indexed-run.ts';
import { toRecentRun } from '../../index/recent-runs.ts';
import { readHistory } from '../../journal/read-journal.ts';
import type { MessageLike } from '../../journal-model.ts';
import { toPlanningLine } from '../../lines/planning-line.ts';
import { sliceProjectedLine } from '../../lines/record-line.ts';
import { pickSummary } from '../../lines/summary-line.ts';
import { findFactName, parseFact } from '../../record/read-record.ts';
import { kindOf, type LineKind, type RunLines, type RunReader } from '../../run-reader.ts';
import { isOfThread, toPausedRuns, toUnfinishedRuns } from '../../store/list-runs.ts';
import type { MemoryPlace } from './memory-place.ts';
import { copyJson, findMemoryRun, listMemoryRuns, type MemoryRun, takeMessage } from './memory-run.ts';

type Places = Pick<MemoryPlace, 'runs'>;

/** Reads the runs of a place as any process can. */
export function createMemoryRunReader<Message extends MessageLike>(place: Places): RunReader<Message> {
  return {
    readOverview: async ({ recent }) => {
      const ended = listMemoryRuns(place, 'completed').found.slice(-recent).toReversed();
      const { runs: running, ...unfinished } = toUnfinishedRuns(listMemoryRuns(place, 'running'));
      return {
        ...{ ...unfinished, running, paused: toPausedRuns(listMemoryRuns(place, 'paused')).runs },
        recent: ended.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)),
      };
    },
    listRunning: async ({ of } = {}) =>
      toUnfinishedRuns(listMemoryRuns(place, 'running')).runs.filter(
        ({ metadata }) => of === undefined || isOfThread(metadata, of),
      ),
    readRun: async (name) => {
      const run = findMemoryRun(place, name);
      const { metadata, pause, outcome } = run.facts;
      return {
        ...{ uuid: metadata.uuid, metadata, pause, outcome },
        place: run.place,
        location: `memory, ${run.place}`,
        state: { read: async (name) => copyJson(run.values.get(name) ?? null) },
        history: () => readHistory<Message>(run.record, { parseMessage: takeMessage }),
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

function describeEnd(run: MemoryRun) {
  return toIndexedRun(run.metadata, { ...pickSummary(listLines(run, 'summaries')), outcome: run.outcome });
}

/** Reads lines of runs that ended. */
export function createMemoryRunLines(place: Places): RunLines {
  return {
    readLast: async <Kind extends LineKind>(uuid: string, wanted: Readonly<Record<Kind, LineBounds>>) => {
      const run = place.runs.get(uuid);
      if (run === undefined || run.place === 'paused') return null;
      const kinds = Object.keys(wanted) as Kind[];
      return Object.fromEntries(
        kinds.map((kind) => [kind, takeLast(listLines(run, kind), wanted[kind])]),
      ) as {
        readonly [Name in Kind]: readonly string[];
      };
    },
  };
}

function listLines({ lines, metadata }: MemoryRun, kind: LineKind): readonly string[] {
  const texts = lines
    .filter((line) => kindOf.get(findFactName(line) ?? '') === kind)
    .map((line) => line.toString());
  if (kind !== 'planning') return texts.map((text) => sliceProjectedLine(text).trimEnd());
  return texts.map((text) => (toPlanningLine(parseFact(text), metadata) ?? '{}').trimEnd());
}
