import { AuthorFilter } from './author-filter.ts';
import {
  type CommentDetectionOptions,
  type DetectionSettings,
  readDetectionOptions,
} from './comment-detection-options.ts';
import { createDetectionLog, type DetectionLog } from './detection-log.ts';
import type { CommentSource } from './ports.ts';
import { sleepFor } from './sleep-for.ts';
import { ThreadWatcher } from './thread-watcher.ts';

/** What a manager is made of. */
export interface DetectionParts {
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  readonly authors: AuthorFilter;
  readonly watcher: ThreadWatcher;
}

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
  if (settings.enabled) sayMissingSafeguards(options, log);
  return { settings, log, authors, watcher };
}

function sayMissingSafeguards(options: CommentDetectionOptions, log: DetectionLog): void {
  const { botUsername, botId, isOwnComment, authorityOf, cleanText } = options;
  const isNameless = (botUsername ?? null) === null && (botId ?? null) === null;
  if (isNameless && isOwnComment === undefined) log.unknownBot();
  if (authorityOf === undefined) log.unsafe('authorityOf');
  if (cleanText === undefined) log.unsafe('cleanText');
}
