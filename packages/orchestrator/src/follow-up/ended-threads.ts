import { isDeepStrictEqual } from 'node:util';
import { type CallOptions, formatTaskKey, type PlatformThread, type TaskSummary } from '@agent/platforms';
import type { RunReader, StorageNotes } from '@agent/run-store';
import { ErrorEpisodes } from '@agent/text';
import { z } from 'zod';
import { type FollowUpSettings, followUpSchema } from '../config/follow-up-settings.ts';
import type { RunLogger } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { CleanText } from '../thread/text-guard.ts';
import { createTrust, type IsTrusted } from '../thread/trust.ts';
import { createHandoverRecords, createUnansweredRecords, noteIn } from '../triggers/handover-records.ts';
import type { TaskThread } from '../triggers/task-trigger.ts';
import { createEndedRuns, type EndedRun } from './ended-runs.ts';
import {
  clockSkewMs,
  findCommentRequest,
  findReopening,
  type RequestAfterEnd,
} from './requests-after-end.ts';
import { followUpTexts } from './texts.ts';

export interface EndedThreadsOptions {
  /** Null for the defaults. */
  readonly settings: FollowUpSettings | null;
  /** False where comments are not read: then only a reopened thread begins another run. */
  readonly hears: boolean;
  /** Setting `comment_detection.include_review_comments`. */
  readonly reviews: boolean | 'own';
  /** Accounts whose comments ask for nothing, in lower case. */
  readonly ignored: readonly string[];
  readonly platforms: readonly ConfiguredPlatform[];
  readonly reader: Pick<RunReader<unknown>, 'readOverview' | 'readRun'>;
  readonly notes: StorageNotes;
  readonly clean: CleanText;
  /** True in a process that ends when nothing is left: it waits for no second comment. */
  readonly once: boolean;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** Threads whose runs have ended, as far as the conversation there continues. */
export interface EndedThreads {
  /**
   * Queues each ended thread on which a trusted user asked for more, or which a trusted user reopened after closing it had stopped its run. One listing of each repository finds the threads that changed, and only
   * these are read; a platform on which no run ended lately is not asked. A thread that cannot be read delays no other. Never rejects.
   */
  readonly look: (call?: CallOptions) => Promise<void>;
}

/** Comments that come within so many milliseconds are one request. */
const joinedMs = 10_000;
/** GitLab leaves a thread's time where it is for a minute after a change; what is over the minute is for clocks that differ. */
const silentMs = 75_000;
/** Milliseconds that two times of a platform may be out of order. */
const skewMs = 10 * 60_000;
/** Milliseconds until a thread that could not be read is read again. */
const retryMs = 5 * 60_000;
/** With more changed threads than that in a listing the next one begins later; until then it stays the same, so that it can be free. */
const fewThreads = 20;

const failedToPoll = 'failed to poll ended threads for comments';

/** Threads that are remembered between two polls. */
const maxSeen = 1_000;

const recordSchema = z.object({
  rounds: z.number(),
  last: z.string().nullable(),
  /** True once a reply said that no comment begins another run. */
  told: z.boolean(),
});
const sinceSchema = z.object({ since: z.string(), places: z.record(z.string(), z.string()) });

interface Seen {
  readonly updatedAt: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  readonly isSettled: boolean;
  /** It was read since it changed, and nothing in it waits to be joined. */
  readonly isRead: boolean;
  /** Time until which it is not read, because the last reading failed. */
  readonly retryAt?: number | undefined;
}

/** Creates it. Its notes survive a restart: what was said while no process ran is found by the next one. */
export function createEndedThreads(options: EndedThreadsOptions): EndedThreads {
  const { platforms, reader, notes, once, now, logger } = options;
  const episodes = new ErrorEpisodes({ now });
  const settings = options.settings ?? followUpSchema.parse({});
  const hears = options.hears && settings.on_comment !== 'never';
  const listEnded = createEndedRuns({ reader, hears });
  const handovers = createHandoverRecords(notes, { logger });
  const owed = createUnansweredRecords(notes);
  const recordName = noteIn('conversations');
  const seen = new Map<string, Seen>();
  const firstSeen = new Map<string, number>();
  const trusts = new Map<string, IsTrusted>();
  const trustIn = async (
    { platform, trust: policy }: ConfiguredPlatform,
    { key, permissions }: Pick<PlatformThread, 'key' | 'permissions'>,
    { signal }: CallOptions,
  ): Promise<IsTrusted> => {
    const place = `${platform.host} ${formatTaskKey(key).replace(/[#!][^#!]*$/u, '')}`;
    const ownAccount = await platform.identity.whoAmI({ signal });
    const known = trusts.get(place) ?? createTrust({ policy, permissions, ownAccount, now });
    trusts.set(place, known);
    return known;
  };

  const begin = async (
    { platform, trigger }: ConfiguredPlatform,
    ports: TaskThread & Pick<PlatformThread, 'writer'>,
    { request, run, signal }: { readonly request: RequestAfterEnd; readonly run: EndedRun } & CallOptions,
  ): Promise<void> => {
    if (!trigger.signs.canReturn(ports)) return;
    const named = { host: platform.host, taskKeyText: formatTaskKey(ports.key) };
    const { taskKeyText: task } = named;
    // The issue and its pull or merge request are one task.
    const filed = recordName(run);
    const record = recordSchema.safeParse(await notes.read(filed)).data ?? {
      ...{ rounds: 0, last: null, told: false },
    };
    // What was asked for once and refused is not asked for again.
    if (record.last === request.id) return;
    const round = request.comments.length === 0 ? 0 : 1;
    if (round > 0 && record.rounds >= settings.comment_rounds) {
      logger.info({ task, rounds: record.rounds }, 'ignored comment: all comment rounds are used');
      if (record.told) return;
      const again = trigger.texts[run.locale].beginAgain(false);
      const body = followUpTexts[run.locale].commentRoundsUsed(settings.comment_rounds, again);
      await ports.writer.ensureComment({ topic: 'comment-rounds', body, signal });
      return notes.write(filed, { ...record, told: true });
    }
    // A run that began meanwhile receives the comment itself.
    const { running, pausing, paused } = await reader.readOverview({ recent: 0 });
    const isTaken = [...running, ...pausing, ...paused].some(
      ({ metadata }) => metadata.host === run.host && metadata.taskKeyText === run.taskKeyText,
    );
    if (isTaken) return;
    const ids = request.comments.map(({ id }) => id);
    if (ids.length > 0) await owed.add(named, ids);
    const { id, by, since } = request;
    await handovers.keep(named, { by, since, commentId: round > 0 ? id : null });
    await trigger.setState(ports, { state: 'waiting', signal });
    await notes.write(filed, { ...record, rounds: record.rounds + round, last: id });
    const reason = round > 0 ? 'comment after its end' : 'reopened by a trusted user';
    logger.info({ task, reason, comments: ids.length }, 'queued task again');
  };

  /** False where a comment may be followed by another one within seconds. */
  const readThread = async (
    configured: ConfiguredPlatform,
    { key }: Pick<TaskSummary, 'key'>,
    { run, signal }: { readonly run: EndedRun } & CallOptions,
  ): Promise<boolean> => {
    const ports = configured.platform.openThread(key);
    const isTrusted = await trustIn(configured, ports, { signal });
    const thread = { configured, ports, run, isTrusted };
    const request =
      run.status === 'stopped'
        ? await findReopening(thread, { signal })
        : await findCommentRequest(thread, { ...options, settings, signal });
    if (request === null) return true;
    const seenAt = firstSeen.get(request.id) ?? now();
    firstSeen.set(request.id, seenAt);
    const saidAt = request.comments.at(-1)?.createdAt ?? null;
    const isJoined = once || saidAt === null || now() - Math.min(seenAt, Date.parse(saidAt)) >= joinedMs;
    if (!isJoined) return false;
    firstSeen.delete(request.id);
    await begin(configured, ports, { request, run, signal });
    return true;
  };

  const lookAt = async (
    configured: ConfiguredPlatform,
    runs: ReadonlyMap<string, EndedRun>,
    { signal }: CallOptions,
  ): Promise<void> => {
    const { platform } = configured;
    const sinceName = noteIn('conversations-since')({ host: platform.host, taskKeyText: '' });
    const beganAt = now();
    const kept = sinceSchema.safeParse(await notes.read(sinceName)).data;
    const oldest = new Date(beganAt - settings.comment_days * 86_400_000).toISOString();
    const noOlder = (time: string) => (time < oldest ? oldest : time);
    const changedSince = noOlder(kept?.since ?? new Date(beganAt - clockSkewMs).toISOString());
    const changedSinceIn = Object.fromEntries(
      Object.entries(kept?.places ?? {}).map(([place, time]) => [place, noOlder(time)]),
    );
    const query = {
      label: null,
      assignee: null,
      state: 'open',
      changedSince,
      changedSinceIn,
      signal,
    } as const;
    const { tasks, failures } = await platform.tasks.listTasks(query);
    let isWhole = true;
    for (const task of tasks) {
      const name = `${platform.host} ${formatTaskKey(task.key)}`;
      const run = runs.get(name);
      const before = seen.get(name);
      const isSame = before?.updatedAt === task.updatedAt;
      if (run === undefined || (isSame && before.isSettled)) continue;
      const seenAt = isSame ? before.seenAt : beganAt;
      // Read at once, and a second time when it has been silent for long enough.
      const isQuiet = isSame && before.isRead && beganAt - seenAt < silentMs;
      if (isQuiet || (before?.retryAt !== undefined && before.retryAt > beganAt)) {
        isWhole = false;
        continue;
      }
      const isRead = await readThread(configured, task, { run, signal }).catch((error: unknown) => {
        if (signal?.aborted === true) throw error;
        const message = 'failed to read comments of ended thread';
        episodes.fail(name, error, { logger, message, fields: { task: name } });
        return null;
      });
      if (isRead !== null) episodes.end(name);
      const isSettled = isRead === true && beganAt - seenAt >= silentMs;
      const retryAt = isRead === null ? beganAt + retryMs : undefined;
      seen.delete(name);
      for (const oldest of seen.keys()) if (seen.size > maxSeen) seen.delete(oldest);
      seen.set(name, { updatedAt: task.updatedAt, seenAt, isSettled, isRead: isRead === true, retryAt });
      isWhole &&= isSettled;
    }
    const isLong = tasks.length > fewThreads && isWhole;
    // By the platform's clock.
    const newest = Math.max(...tasks.map(({ updatedAt }) => Date.parse(updatedAt)));
    const since = isLong ? new Date(newest - skewMs).toISOString() : changedSince;
    const places = Object.fromEntries(
      failures.map(({ place }) => [place, changedSinceIn[place] ?? changedSince]),
    );
    if (!isDeepStrictEqual(kept, { since, places })) await notes.write(sinceName, { since, places });
  };

  const noteFailure = (key: string, error: unknown, signal: AbortSignal | undefined): void => {
    if (signal?.aborted !== true) episodes.fail(key, error, { logger, message: failedToPoll });
  };

  return {
    look: async ({ signal } = {}) => {
      try {
        const runs = await listEnded({ since: now() - settings.comment_days * 86_400_000 });
        episodes.end('');
        const hosts = new Set([...runs.values()].map(({ host }) => host));
        for (const configured of platforms) {
          if (!hosts.has(configured.platform.host)) continue;
          const { host } = configured.platform;
          await lookAt(configured, runs, { signal }).then(
            () => episodes.end(host),
            (error: unknown) => noteFailure(host, error, signal),
          );
        }
      } catch (error) {
        noteFailure('', error, signal);
      }
    },
  };
}
