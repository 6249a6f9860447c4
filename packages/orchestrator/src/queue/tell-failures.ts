import { formatTaskKey, type PlaceFailure, type TaskKey } from '@agent/platforms';
import { ErrorEpisodes, type Locale, localeOf, toErrorMessage } from '@agent/text';
import { UnacceptedRepositoryError } from '../admission/known-repositories.ts';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import { isTransient, OpenIntentError } from '../intents/call-with-retry.ts';
import { runTexts } from '../report/texts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { TellFailedTask } from './create-task-worker.ts';
import { type QueueEntry, readTaskKey } from './queue-entry.ts';

export interface PlaceReportsOptions {
  readonly logger: Pick<RunLogger, 'info' | 'warn' | 'error'>;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly observe: ObserveBoard;
}

/** Says of each repository when it cannot be asked any more, and when it can again: in the log once, not at every look. */
export function createPlaceReports({ logger, observe, now }: PlaceReportsOptions) {
  const failing = new Map<string, ReadonlySet<string>>();
  const episodes = new ErrorEpisodes({ now });
  return (platform: string, failures: readonly PlaceFailure[]): void => {
    const failed = new Set(failures.map(({ place }) => place));
    for (const { place, error } of failures) {
      const part = `place:${platform}/${place}` as const;
      observe({ type: 'condition', part, state: 'failed', reason: error.message });
      const message = 'failed to list tasks of repository';
      const recovered = 'repository is available again';
      const line = { logger, level: 'error', message, recovered, fields: { platform, place } } as const;
      episodes.fail(part, error, line);
    }
    for (const place of failing.get(platform) ?? []) {
      if (failed.has(place)) continue;
      const part = `place:${platform}/${place}` as const;
      observe({ type: 'condition', part, state: 'ok', reason: null });
      episodes.end(part);
    }
    failing.set(platform, failed);
  };
}

export interface TellFailedTaskOptions {
  readonly platforms: readonly ConfiguredPlatform[];
  readonly locale: 'auto' | Locale;
  readonly observe: ObserveBoard;
  readonly logger: Pick<RunLogger, 'warn'>;
}

/** Failures in a row after which the thread is told: half a minute after the first. */
const toldAfter = 5;

/** Entries without which a run cannot begin to work. */
const beforeWork: ReadonlySet<string> = new Set(['label', 'hold']);

/**
 * Creates what tells people of a task that cannot be carried out: the operator at once, by the board; the thread by one comment when
 * it stays so. What is transient is not the thread's matter.
 */
export function createTellFailedTask({
  platforms,
  locale,
  observe,
  logger,
}: TellFailedTaskOptions): TellFailedTask {
  const tellThread = async (entry: QueueEntry, error: Error): Promise<void> => {
    const found = platforms.find(({ platform }) => platform.host === entry.platform);
    if (found === undefined) return;
    const { reader, writer } = found.platform.openThread(readTaskKey(entry));
    const thread = await reader.readThread();
    const text = runTexts[localeOf(thread, { setting: locale })];
    const kind = error instanceof OpenIntentError ? error.kind : null;
    const isBegun = kind !== null && !beforeWork.has(kind);
    const [format, name] =
      kind === 'access'
        ? ([text.noAccess, 'no-access'] as const)
        : ([text.notDelivered, 'not-delivered'] as const);
    const body = isBegun ? format(error.message) : text.notBegun(error.message);
    await writer.ensureComment({
      topic: isBegun ? `run:${entry.runId}:${name}` : 'run:not-begun',
      body,
      mayExist: true,
    });
  };
  return async (entry, failure) => {
    const name = nameTask(readTaskKey(entry));
    const seen = { type: 'outbox', uuid: entry.runId, name } as const;
    if (failure === null) return observe({ ...seen, open: null });
    const { error, attempts, nextAt } = failure;
    const shown = error instanceof Error ? error : new Error(toErrorMessage(error));
    const kind = error instanceof OpenIntentError ? error.kind : 'begin';
    const reason = `${kind}: ${shown.message} (attempts: ${attempts}, next: ${nextAt})`;
    observe({ ...seen, open: { kinds: [kind], reason } });
    // What a run wants was tried for a while before it is left.
    const tellAt = error instanceof OpenIntentError ? 1 : toldAfter;
    // Another repository hears nothing of the one that had its name.
    if (attempts !== tellAt || isTransient(error) || error instanceof UnacceptedRepositoryError) return;
    await tellThread(entry, shown).catch((err: unknown) =>
      logger.warn({ task: name, err }, 'failed to post comment about task failure'),
    );
  };
}

/** `owner/repo#42` on GitHub. A key of another platform does not contain the path of its repository: such a task is named by its key. */
function nameTask(key: TaskKey): string {
  return 'repo' in key ? `${key.owner}/${key.repo}#${key.number}` : formatTaskKey(key);
}
