import { isDeepStrictEqual } from 'node:util';
import { compareComments } from '@agent/comment-detection';
import {
  type Account,
  type CallOptions,
  type Comment,
  formatTaskKey,
  type PlatformThread,
  parseCommentMarker,
  type TaskSummary,
} from '@agent/platforms';
import type { RecentRun, RunReader, StorageNotes } from '@agent/run-store';
import { isMentioned } from '@agent/text';
import { z } from 'zod';
import { type FollowUpSettings, followUpSchema } from '../config/follow-up-settings.ts';
import type { CleanText } from '../inbox/text-guard.ts';
import { createTrust, type IsTrusted, isOwnComment } from '../inbox/trust.ts';
import type { RunLogger } from '../ports.ts';
import { findEnded } from '../queue/failed-runs.ts';
import { createHandoverRecords, createUnansweredRecords, noteIn } from '../run/handover-records.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { TaskThread } from '../triggers/task-trigger.ts';
import { asksForMore } from './decide-follow-up.ts';

export interface EndedThreadsOptions {
  /** Null for the defaults. */
  readonly settings: FollowUpSettings | null;
  /** Accounts whose comments ask for nothing, in lower case. */
  readonly ignored: readonly string[];
  readonly platforms: readonly ConfiguredPlatform[];
  readonly reader: Pick<RunReader<unknown>, 'readOverview'>;
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
   * Queues each ended thread on which a trusted user asked for more. One listing of each repository finds the threads that changed, and only
   * these are read; a platform on which no run ended lately is not asked. A thread that cannot be read delays no other. Never rejects.
   */
  readonly look: (call?: CallOptions) => Promise<void>;
}

/** Ended runs that are searched. */
const searchedRuns = 500;
/** Comments that come within so many milliseconds are one request. */
const joinedMs = 10_000;
/** GitLab leaves a thread's time where it is for a minute after a change; what is over the minute is for clocks that differ. */
const silentMs = 75_000;
/** Milliseconds that two times of a platform may be out of order. */
const skewMs = 10 * 60_000;
/** Milliseconds that the clocks of this machine and of a platform may be apart. */
const clockSkewMs = 27 * 3_600_000;
/** Milliseconds until a thread that could not be read is read again. */
const retryMs = 5 * 60_000;
/** With more changed threads than that in a listing the next one begins later; until then it stays the same, so that it can be free. */
const fewThreads = 20;

const failedToPoll = 'failed to poll ended threads for comments';

/** Threads that are remembered between two polls. */
const maxSeen = 1_000;

const recordSchema = z.object({ rounds: z.number(), last: z.string().nullable() });
const sinceSchema = z.object({ since: z.string(), places: z.record(z.string(), z.string()).default({}) });

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

interface Asked {
  readonly comment: Comment;
  readonly by: Account;
}

/** Creates it. Its notes survive a restart: what was said while no process ran is found by the next one. */
export function createEndedThreads(options: EndedThreadsOptions): EndedThreads {
  const { platforms, reader, notes, once, now, logger } = options;
  const settings = options.settings ?? followUpSchema.parse({});
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
    ports: TaskThread,
    { asked, signal }: { readonly asked: readonly Asked[] } & CallOptions,
  ): Promise<void> => {
    const last = asked.at(-1);
    if (last === undefined || !trigger.signs.canReturn(ports)) return;
    const named = { host: platform.host, taskKeyText: formatTaskKey(ports.key) };
    const record = recordSchema.safeParse(await notes.read(recordName(named))).data ?? {
      rounds: 0,
      last: null,
    };
    // What was asked for once and refused is not asked for again.
    if (record.last === last.comment.id) return;
    if (record.rounds >= settings.comment_rounds) {
      const { taskKeyText: task } = named;
      return logger.info({ task, rounds: record.rounds }, 'ignored comment: all comment rounds are used');
    }
    // A run that began meanwhile receives the comment itself.
    const { running, pausing, paused } = await reader.readOverview({ recent: 0 });
    const isTaken = [...running, ...pausing, ...paused].some(
      ({ metadata }) => metadata.host === named.host && metadata.taskKeyText === named.taskKeyText,
    );
    if (isTaken) return;
    const ids = asked.map(({ comment }) => comment.id);
    await owed.add(named, ids);
    const since = last.comment.updatedAt ?? last.comment.createdAt;
    await handovers.keep(named, { by: last.by, since, commentId: last.comment.id });
    await trigger.setState(ports, { state: 'waiting', signal });
    await notes.write(recordName(named), { rounds: record.rounds + 1, last: last.comment.id });
    logger.info(
      { task: named.taskKeyText, comments: ids.length },
      'queued task again: comment after its end',
    );
  };

  /** False where a comment may be followed by another one within seconds. */
  const readThread = async (
    configured: ConfiguredPlatform,
    { key }: Pick<TaskSummary, 'key'>,
    { run, signal }: { readonly run: RecentRun } & CallOptions,
  ): Promise<boolean> => {
    const ports = configured.platform.openThread(key);
    const isTrusted = await trustIn(configured, ports, { signal });
    const asked = await listAsked(options, { configured, ports, run, settings, isTrusted, signal });
    const last = asked.at(-1);
    if (last === undefined) return true;
    const seenAt = firstSeen.get(last.comment.id) ?? now();
    firstSeen.set(last.comment.id, seenAt);
    const isJoined = once || now() - Math.min(seenAt, Date.parse(last.comment.createdAt)) >= joinedMs;
    if (!isJoined) return false;
    firstSeen.delete(last.comment.id);
    await begin(configured, ports, { asked, signal });
    return true;
  };

  const lookAt = async (
    configured: ConfiguredPlatform,
    runs: ReadonlyMap<string, RecentRun>,
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
        logger.warn({ err: error, task: name }, 'failed to read comments of ended thread');
        return null;
      });
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

  return {
    look: async ({ signal } = {}) => {
      if (settings.on_comment === 'never') return;
      try {
        const runs = findEnded(await reader.readOverview({ recent: searchedRuns }), {
          since: now() - settings.comment_days * 86_400_000,
        });
        const hosts = new Set([...runs.values()].map(({ host }) => host));
        for (const configured of platforms) {
          if (!hosts.has(configured.platform.host)) continue;
          await lookAt(configured, runs, { signal }).catch((error: unknown) => {
            if (signal?.aborted !== true) logger.warn({ err: error }, failedToPoll);
          });
        }
      } catch (error) {
        if (signal?.aborted !== true) logger.warn({ err: error }, failedToPoll);
      }
    },
  };
}

/** Lists what trusted users asked for after the last final comment, oldest first. */
async function listAsked(
  { ignored, clean }: EndedThreadsOptions,
  {
    configured,
    ports,
    run,
    settings,
    isTrusted,
    signal,
  }: {
    readonly configured: ConfiguredPlatform;
    readonly ports: PlatformThread;
    readonly run: RecentRun;
    readonly settings: FollowUpSettings;
    readonly isTrusted: IsTrusted;
  } & CallOptions,
): Promise<readonly Asked[]> {
  const { platform, trigger } = configured;
  const ownAccount = await platform.identity.whoAmI({ signal });
  const endedAt = Date.parse(run.finishedAt ?? run.createdAt);
  const since = new Date(endedAt - clockSkewMs).toISOString();
  const { comments } = await ports.comments.listComments({ since, signal });
  const isFinal = (comment: Comment) =>
    isOwnComment(comment, ownAccount) && parseCommentMarker(comment.body)?.endsWith(':final') === true;
  const final = comments.filter(isFinal).at(-1);
  const isLater = (comment: Comment) =>
    final === undefined ? Date.parse(comment.createdAt) > endedAt : compareComments(comment, final) > 0;
  const { login } = ownAccount;
  const asked: Asked[] = [];
  for (const comment of comments.filter(isLater)) {
    const by = comment.author;
    if (by === null || by.kind === 'bot' || isOwnComment(comment, ownAccount)) continue;
    if (ignored.includes(by.login.toLowerCase())) continue;
    const body = await clean(comment.body, comment.url);
    // Mentions begin runs of their own there.
    if (trigger.beginsByMention === true && isMentioned(body, login)) continue;
    if (!asksForMore({ body }, { onComment: settings.on_comment, login })) continue;
    if (await isTrusted(by, { signal })) asked.push({ comment, by });
  }
  const last = asked.at(-1);
  return last !== undefined && (await isTrusted(last.by, { fresh: true, signal })) ? asked : [];
}
