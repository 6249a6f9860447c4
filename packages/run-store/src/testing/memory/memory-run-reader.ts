import { addRuns, type TaskIndex } from '../../index/indexed-run.ts';
import { toRecentRun } from '../../index/recent-runs.ts';
import type { MessageLike } from '../../journal-model.ts';
import type { RunLines, RunReader } from '../../run-reader.ts';
import {
  createRunLines,
  createRunReader,
  describeEndedRun,
  type RunSource,
} from '../../store/create-run-reader.ts';
import type { MemoryPlace } from './memory-place.ts';
import { copyJson, listMemoryRuns, type MemoryRun, requireMemoryRun, takeMessage } from './memory-run.ts';

type Places = Pick<MemoryPlace, 'runs'>;

/** Reads the runs of a place as any process can. */
export function createMemoryRunReader<Message extends MessageLike>(place: Places): RunReader<Message> {
  const source: RunSource = {
    location: 'memory',
    list: async (wanted) => listMemoryRuns(place, wanted),
    listRecent: async (limit) => {
      const ended = listMemoryRuns(place, 'completed').found.slice(-limit).toReversed();
      return { runs: ended.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)), damaged: [] };
    },
    listKept: async () => new Set(place.runs.keys()),
    find: async (prefix) =>
      [...place.runs]
        .filter(([uuid]) => uuid.startsWith(prefix))
        .map(([uuid, run]) => ({ uuid, place: run.place, location: `memory, ${run.place}` })),
    readStanding: async ({ uuid }) => requireMemoryRun(place, uuid).facts,
    openRecord: ({ uuid }) => requireMemoryRun(place, uuid).record,
    readState: async (uuid, name) => copyJson(requireMemoryRun(place, uuid).values.get(name) ?? null),
  };
  return createRunReader<Message>(source, { parseMessage: takeMessage });
}

/** Finds the runs of a place that ended, by their task. */
export function createMemoryTaskIndex(place: Places): Pick<TaskIndex, 'find'> {
  return {
    find: async ({ taskKeyHash, host }) => {
      const runs = [...place.runs.values()].filter(
        (run) => run.metadata.taskKeyHash === taskKeyHash && isFound(run),
      );
      const lines = createMemoryRunLines(place);
      const ended = await Promise.all(runs.map(({ facts }) => describeEndedRun(facts, lines)));
      const found = addRuns(
        [],
        ended.filter((run) => run !== null),
      );
      return found.filter((run) => run.host === host);
    },
  };
}

function isFound({ place, isIndexed, outcome }: MemoryRun): boolean {
  return place === 'completed' || (isIndexed && outcome !== null);
}

/** Reads lines of runs that ended. */
export function createMemoryRunLines(place: Places): RunLines {
  return createRunLines(async (uuid) => {
    const run = place.runs.get(uuid);
    return run === undefined || run.place === 'paused' ? null : run;
  });
}
