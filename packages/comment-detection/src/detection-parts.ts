import { AuthorFilter } from './author-filter.ts';
import { ChangeObserver } from './change-observer.ts';
import type { CommentSource } from './comment.ts';
import {
  type CommentDetectionOptions,
  type DetectionSettings,
  readDetectionOptions,
  sleepFor,
} from './comment-detection-options.ts';
import { createDetectionLog, type DetectionLog, type Safeguard } from './detection-log.ts';
import { ThreadWatcher } from './thread-watcher.ts';

/** Parts of a manager. */
interface DetectionParts {
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  /** Knows the agent's own comments. */
  readonly authors: AuthorFilter;
  /** Holds all that is remembered of the thread. */
  readonly watcher: ThreadWatcher;
  /** Has what it finds kept. */
  readonly observer: ChangeObserver;
}

/**
 * Creates them, and says which safeguards the options leave out.
 *
 * @throws TypeError where the source is none, or an option has the wrong type
 */
export function createDetectionParts(
  source: CommentSource,
  options: CommentDetectionOptions,
): DetectionParts {
  if (typeof source?.listComments !== 'function') {
    throw new TypeError('CommentDetectionManager needs a source: an object with the function listComments.');
  }
  const { settings, startedAt, problems } = readDetectionOptions(options);
  const log = createDetectionLog(options.logger, { settings, cleanText: options.cleanText });
  for (const problem of problems) log.invalidOption(problem);
  const { monotonicNow = () => performance.now(), now = () => new Date(), isOwnComment } = options;
  const authors = new AuthorFilter({ settings, isOwnComment, monotonicNow, onNoisyBot: log.noisyBot });
  const watcher: ThreadWatcher = new ThreadWatcher(source, {
    settings,
    log,
    isExcluded: (comment) => authors.isOwn(comment, watcher.memory.ownIds) || authors.isIgnored(comment),
    startedAt,
    now,
    monotonicNow,
    sleep: options.sleep ?? sleepFor,
    timeoutSignal: options.timeoutSignal ?? ((milliseconds) => AbortSignal.timeout(milliseconds)),
  });
  if (settings.enabled) for (const name of findMissingSafeguards(options)) log.missingSafeguard(name);
  const observer = new ChangeObserver({ ...options, watcher, settings, log, monotonicNow });
  return { settings, log, authors, watcher, observer };
}

/** Names the safeguards that the options leave out. */
function findMissingSafeguards(options: CommentDetectionOptions): readonly Safeguard[] {
  const { botUsername, botId, isOwnComment, authorityOf, cleanText } = options;
  const isNameless = (botUsername ?? null) === null && (botId ?? null) === null;
  const missing: readonly (readonly [Safeguard, boolean])[] = [
    ['botUsername', isNameless && isOwnComment === undefined],
    ['authorityOf', authorityOf === undefined],
    ['cleanText', cleanText === undefined],
  ];
  return missing.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}
