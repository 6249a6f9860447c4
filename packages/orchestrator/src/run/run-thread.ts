import type {
  Comment,
  CommentListing,
  CommentWriter,
  EnsuredComment,
  Platform,
  PlatformThread,
  RequestRecord,
  TaskKey,
  Thread,
  ThreadReader,
  WantedComment,
} from '@agent/platforms';
import type { RequestBudget, SourceThread, ThreadSource } from '@agent/platforms/sources';
import type { RunState } from '@agent/run-store';
import type { GitWorkspaces } from '@agent/workspace';
import type { Acknowledgements } from '../inbox/acknowledgements.ts';
import type { Inherited } from '../past/earlier-runs.ts';
import { type CommentListName, openReviewSources, type ReviewSources } from '../thread/review-sources.ts';
import type { TrustPolicy } from '../thread/trust.ts';
import type { TaskTrigger } from '../triggers/task-trigger.ts';
import { expiryMinutes } from './read-claims.ts';
import type { RunFacts } from './run-facts.ts';

/** A platform as the daemon runs it: its ports, its labels, and the git that goes with it. */
export interface ConfiguredPlatform {
  readonly platform: Platform;
  /** Way in which people give threads there to the agent. */
  readonly trigger: TaskTrigger;
  /** Tells whether a process that only observes already worked on a thread. Default never. */
  readonly wasObserved?: ((key: TaskKey) => Promise<boolean>) | undefined;
  /** Decides on issues that fewer people may read than what a run pushes. */
  readonly confidentialIssues: 'refuse' | 'allow';
  readonly workspaces: GitWorkspaces;
  /** Opens the comments of one of its threads; makes no request itself. */
  readonly openSource: (thread: SourceThread, list?: CommentListName) => ThreadSource;
  /** Lists the request limits that have no room for another run beside those that are running there. */
  readonly runHolds: RequestBudget['runHolds'];
  /** Requests that its credential still has, as far as the platform said it. Default not known. */
  readonly requestsLeft?: RequestBudget['left'] | undefined;
  /** Comments and pull requests that it can still create within the hour. Default: there is no limit. */
  readonly contentsLeft?: RequestBudget['contentsLeft'] | undefined;
  /** Lists the repositories or projects that tasks come from. Default: they are not known. */
  readonly listPlaces?: (() => readonly string[]) | undefined;
  /** Tells whether tasks come from the repository at this path, by its name or a pattern. Default from any. */
  readonly takesFrom?: ((path: string) => boolean) | undefined;
  /** The agent's name there, where the configuration or the environment says it (CD-44). */
  readonly botName: string | null;
  /** Tells whether a thread is one of a repository that is not named or found any more. Default never. */
  readonly isRemoved?: ((thread: Pick<Thread, 'key' | 'url'>) => boolean) | undefined;
  /** Policy of who may steer there. */
  readonly trust: TrustPolicy;
}

/** The thread of a run, and the platform on which it is. */
export interface RunThread {
  readonly platform: ConfiguredPlatform;
  /** The platform's ports for it; what the writer writes has no more readers than the audience. */
  readonly ports: PlatformThread;
  /** Its comments, as cheaply as they can be listed. */
  readonly comments: ThreadSource & Pick<ThreadReader, 'getComment'>;
  /** Reviews and checks of a change request. Null for an issue, and where a platform shows none. */
  readonly review?: ReviewSources | null | undefined;
  /** Counts the requests of both. */
  readonly meter: RequestMeter;
  /** Knows who may read what the run writes. */
  readonly audience: RunAudience;
  /** Writes the comments of the run. */
  readonly writer: RunComments;
  /** Shows people what became of their comments. */
  readonly acknowledgements: Acknowledgements;
}

/** A comment that a run writes on its thread while it works. */
export interface RunComment extends Pick<WantedComment, 'topic' | 'body' | 'internal' | 'signal'> {
  /** Null where an earlier run may have written on this topic. Default: only comments since the run began are read. */
  readonly since?: null | undefined;
}

/** Writes comments of a run. Each is an entry of its outbox, so that it is written even if the platform refuses it now. */
export interface RunComments {
  /** Writes one without which the run cannot continue. @throws what `DoIntent` does */
  readonly require: (comment: RunComment) => Promise<Pick<EnsuredComment, 'id'>>;
  /**
   * Writes one for the reader's information. What cannot be written now is logged and stays open until the run pauses or ends.
   *
   * @returns whether it was written now
   */
  readonly post: (comment: RunComment) => Promise<boolean>;
}

/** Counts what a run costs on its platform. */
export interface RequestMeter {
  readonly onRequest: (record: RequestRecord) => void;
  readonly count: () => RequestCount;
}

export interface RequestCount {
  /** Requests made to the platform by this process for this run. */
  readonly made: number;
  /** Number of them that were answered "not modified" and cost nothing of the limit. */
  readonly unchanged: number;
}

/** A thread of which no run has been made yet. */
export type OpenedThread = Pick<RunThread, 'platform' | 'ports' | 'comments' | 'review' | 'meter'>;

/** Opens a thread for one run: its ports and its comments, with one meter for the requests of both. Makes no request. */
export function openRunThread(platform: ConfiguredPlatform, key: TaskKey): OpenedThread {
  const meter = createRequestMeter();
  const ports = platform.platform.openThread(key, { onRequest: meter.onRequest });
  const review = openReviewSources(platform, { key, onRequest: meter.onRequest });
  return { platform, ports, comments: closingReview(platform.openSource(ports), review), review, meter };
}

/** The same source, which ends the lists of reviews and checks with itself. */
export function closingReview(source: ThreadSource, review: ReviewSources | null | undefined): ThreadSource {
  return {
    ...source,
    close: () => {
      source.close();
      review?.close();
    },
  };
}

/** Counts from 0. */
export function createRequestMeter(): RequestMeter {
  let made = 0;
  let unchanged = 0;
  return {
    onRequest: (record) => {
      made += 1;
      if (record.status === 304) unchanged += 1;
    },
    count: () => ({ made, unchanged }),
  };
}

/**
 * Lists all comments of a run's thread as they stand now. The run's own source only says "unchanged" of what it has listed
 * before, so that this is read by a reader of its own.
 */
export function listWholeThread(
  { platform, ports, meter }: Pick<OpenedThread, 'ports' | 'meter'> & WithPlatform,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CommentListing> {
  const { comments } = platform.platform.openThread(ports.key, { onRequest: meter.onRequest });
  return comments.listComments({ since: null, fresh: true, signal });
}

interface WithPlatform {
  readonly platform: Pick<ConfiguredPlatform, 'platform'>;
}

/** One look at a thread. */
export interface ThreadSnapshot {
  readonly thread: Thread;
  readonly listing: CommentListing;
}

/** Start of the first prompt and of everything later. */
export interface Snapshot extends ThreadSnapshot {
  /** Context inherited from earlier runs; null for a run that begins anew. */
  readonly inherited: Inherited | null;
}

/**
 * Readers of what a run writes. A run that has heard an internal note, or takes over what such a run left, rests on it from
 * then on, also after a restart: what it says on its thread is for members alone, and what it opens elsewhere has no
 * word of the thread.
 */
export interface RunAudience {
  /** Hears of comments before the model does. */
  readonly hear: (comments: readonly Pick<Comment, 'visibility'>[]) => Promise<void>;
  /** Inherits the audience of earlier runs, by their states, and tells whether one of them rests on a note. */
  readonly inherit: (states: readonly Pick<RunState, 'read'>[]) => Promise<boolean>;
  readonly isInternal: () => Promise<boolean>;
}

/** Stands in the state of a run that has heard an internal note. */
export const heardInternalName = 'heard_internal';

/** Remembers it in the state of the run. */
export function createRunAudience(state: RunState): RunAudience {
  let internal = false;
  const isInternal = async (): Promise<boolean> => {
    internal ||= await restsOnInternalNote(state);
    return internal;
  };
  const narrow = async (): Promise<void> => {
    if (internal) return;
    await state.write(heardInternalName, '');
    internal = true;
  };
  return {
    isInternal,
    hear: async (comments) => {
      if (comments.some(({ visibility }) => visibility === 'internal')) await narrow();
    },
    inherit: async (states) => {
      const rests = (await Promise.all(states.map(restsOnInternalNote))).includes(true);
      if (rests) await narrow();
      return rests;
    },
  };
}

/** Tells whether the run of this state heard an internal note, or inherited what such a run left. */
export async function restsOnInternalNote(state: Pick<RunState, 'read'>): Promise<boolean> {
  return (await state.read(heardInternalName)) !== null;
}

/** A source that lets the audience hear of what it lists before anybody else does. */
export function overheardBy(audience: RunAudience, source: RunThread['comments']): RunThread['comments'] {
  return {
    ...source,
    listComments: async (options) => {
      const listing = await source.listComments(options);
      await audience.hear(listing.comments);
      return listing;
    },
  };
}

/** Longest time, in milliseconds, after which a list of comments shows a new one. */
const longestLagMs = 60_000;

/** Creates what tells whether lists may not yet show what an earlier process wrote: for a minute, if it `isLeft` by one. */
export function createMayLag({
  isLeft,
  now,
}: {
  readonly isLeft: boolean;
  readonly now: () => number;
}): () => boolean {
  const takenAt = now();
  return () => isLeft && now() - takenAt < longestLagMs;
}

/**
 * Reads only as much of a thread for a run's own comments as was written or edited since it began: none is older, and
 * a claim that nobody renewed in the hour before holds no longer.
 */
export function sinceBegun<Ports extends Pick<PlatformThread, 'writer' | 'ownComments'>>(
  ports: Ports,
  { threadUpdatedAt }: Pick<RunFacts, 'threadUpdatedAt'>,
  mayLag: () => boolean = () => false,
): Ports {
  const { writer, ownComments } = ports;
  // The thread's own time when the run began, by the platform's clock.
  const since =
    threadUpdatedAt === null
      ? null
      : new Date(Date.parse(threadUpdatedAt) - expiryMinutes * 60_000).toISOString();
  return {
    ...ports,
    writer: {
      ensureComment: (comment) => writer.ensureComment({ since, mayExist: mayLag(), ...comment }),
    },
    ...(ownComments && {
      ownComments: { ...ownComments, list: (options) => ownComments.list({ ...options, since }) },
    }),
  };
}

/** A writer whose comments have no more readers than what the run rests on. */
export function writingFor(audience: RunAudience, writer: CommentWriter): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({
        ...comment,
        internal: comment.internal === true || (await audience.isInternal()),
      }),
  };
}
