import {
  type AskedDaemon,
  askDaemon,
  type QueuedTask,
  readServiceState,
  type TaskSummary,
  toRunJson,
  withQueue,
} from '@agent/orchestrator';
import type { RunStorage } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import { loadSections } from '../config/load-sections.ts';
import { cleanLine } from '../text/terminal-text.ts';
import type { CommandIo } from './command-io.ts';
import type { OpenedDirectory } from './open-directory.ts';

/** Asks the daemon for its steps and its queue. */
export async function askForQueue(
  storage: Pick<RunStorage, 'members' | 'notes'>,
  { http, now }: { readonly http: Parameters<typeof askDaemon>[1]['http']; readonly now: number },
): Promise<AskedDaemon> {
  const createToken = async () => {
    const { createStatusTokens } = await import('@agent/orchestrator/watch');
    return createStatusTokens(storage.notes, { now: () => now }).create();
  };
  return askDaemon(await storage.members.list(), { http, createToken });
}

type Directory = Pick<OpenedDirectory, 'storage' | 'locale'>;

/** Adds the queue to runs, in the order of `status`. Without an answer of the daemon, the runs as they are. */
export async function addQueue(
  runs: readonly TaskSummary[],
  { storage, locale }: Directory,
  { config, io }: { readonly config: string; readonly io: CommandIo },
): Promise<readonly TaskSummary[]> {
  // A mistake in the section of the address does not keep the command from its work.
  const loaded = await loadSections(config, { names: ['http'], environment: io.environment }).catch(
    () => null,
  );
  if (loaded === null) return runs;
  const { view } = await askForQueue(storage, { http: loaded.config.http, now: io.now() });
  const queued: readonly QueuedTask[] = view?.queued ?? [];
  const service = await readServiceState({ storage, now: io.now() });
  return withQueue(runs, queued, { service, locale });
}

/**
 * Prints that a task is queued, since when and why.
 *
 * @returns the exit code
 */
export function printQueued(
  task: TaskSummary,
  {
    directory: { texts, redact },
    io,
    json = false,
  }: {
    readonly directory: Pick<OpenedDirectory, 'texts' | 'redact'>;
    readonly io: CommandIo;
    readonly json?: boolean | undefined;
  },
): number {
  if (json) {
    io.print(JSON.stringify(mapTexts(toRunJson(task), redact), null, 2));
    return 0;
  }
  const { name, title, url, since, position = null, reason = null } = task;
  const facts = { since: since ?? '', position: position ?? 0, reason: reason ?? '' };
  const lines = [
    [name, title ?? ''].filter((part) => part !== '').join('  '),
    texts.queuedSince(facts),
    ...(url === null ? [] : [url]),
  ];
  io.print(redact(lines.map(cleanLine).join('\n')));
  return 0;
}
