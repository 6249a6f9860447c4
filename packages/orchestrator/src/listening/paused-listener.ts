import type { CommentChange } from '@agent/comment-detection';
import { parseTaskKeyJson, type TaskKey } from '@agent/platforms';
import type { Doorbell } from '@agent/platforms/sources';
import type { Outbox, PausedRun, RestingRuns, RunReader } from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { ErrorEpisodes } from '@agent/text';
import type { FollowUpSettings } from '../config/follow-up-settings.ts';
import type { RestingRequest } from '../follow-up/resting-request.ts';
import type { WatchRequest } from '../follow-up/watch-request.ts';
import { hasAllowedItem } from '../held/held-record.ts';
import type { ShownMessage } from '../host/open-records.ts';
import type { RunLogger } from '../host/ports.ts';
import type { Acknowledgements } from '../inbox/acknowledgements.ts';
import { parseCommand } from '../inbox/commands.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { createDoIntent } from '../intents/do-intent.ts';
import { toReactionIntent } from '../intents/intents.ts';
import { createApprovals, type ReactionSource, takeApprovingReaction } from '../plan/approvals.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { asksForNothing } from '../thread/review-sources.ts';
import type { OpenRunInboxOptions } from './open-run-inbox.ts';

export interface PausedListenerOptions {
  /** Options of the inbox that hears the thread of a run. */
  readonly hearing: OpenRunInboxOptions;
  /** True where reactions show people what became of their comments. */
  readonly reactions: boolean;
  readonly reader: RunReader<ShownMessage>;
  readonly store: Pick<RestingRuns<unknown>, 'openState' | 'openOutbox'>;
  /** Shows the answers to commands, which are entries of the run that heard them. */
  readonly show: (run: RestingRun) => Promise<void>;
  readonly doorbell: Pick<Doorbell, 'onRing'>;
  /** Default: only `/watch` has runs stay with their change requests. */
  readonly followUp?: FollowUpSettings | null | undefined;
  /** Called when a bell rings for one of the runs: somebody should have it listened to now. */
  readonly wake: () => void;
  readonly logger: RunLogger;
}

/** A run that waits. */
export interface RestingRun {
  readonly paused: Pick<PausedRun, 'uuid' | 'metadata'>;
  readonly platform: ConfiguredPlatform;
}

/** A run that waits, and whose thread is listened to meanwhile. */
export interface HeldRun extends RestingRun {
  /**
   * Reason for waiting: somebody's request or its own question keeps it `paused`; it `failed` and may be gone on from; it was `left` for
   * another attempt at what was refused, and shows its answers itself. Default `paused`.
   */
  readonly standing?: 'paused' | 'failed' | 'left';
  /** Kind of answer that its own question waits for; null where it has none. Default null. */
  readonly waitsFor?: WaitsFor['kind'] | null;
}

/** Hears what people command runs that wait by comments. */
export interface PausedListener {
  /**
   * Looks at the threads of these runs, as rarely as those of runs at work, and passes on the commands of trusted
   * people (`/resume`, `/stop`; `/retry` for one that failed) by their control files. A run that waits for an answer or
   * an approval is resumed by any word of theirs: whoever wants the plan changed says so. To others what was said waits until the
   * run goes on. Never rejects.
   */
  readonly listen: (held: readonly HeldRun[]) => Promise<void>;
}

interface Listening {
  readonly ears: RunInbox;
  /** Tells whether the plan that waits is approved, also by a reaction. */
  readonly isApproved: () => Promise<boolean>;
  /** Tells whether a held change has been allowed since the run began to wait. */
  readonly isAllowed: () => Promise<boolean>;
  readonly watch: WatchRequest;
  readonly close: () => void;
}

/** Listens from the second call on for what the first has opened; what is held no more is closed. */
export function createPausedListener(options: PausedListenerOptions): PausedListener {
  const listening = new Map<string, Listening>();
  /** Runs whose thread or repository is another one now: it says nothing to them. */
  const foreign = new Set<string>();
  const episodes = new ErrorEpisodes({ now: options.hearing.now });
  const listenTo = async (held: HeldRun): Promise<void> => {
    const { uuid } = held.paused;
    if (foreign.has(uuid)) return;
    try {
      const opened = listening.get(uuid) ?? (await openListening(options, held));
      listening.set(uuid, opened);
      const said = await opened.ears.runCommands();
      episodes.end(uuid);
      if (await isAnswered(held, { ...opened, said })) await options.hearing.controls.request(uuid, 'resume');
    } catch (error) {
      if ((error as Error | null)?.name === 'OtherRepositoryError') foreign.add(uuid);
      const message = 'failed to poll comments of paused run';
      episodes.fail(uuid, error, { logger: options.logger, message, fields: { run: uuid } });
    }
  };
  return {
    listen: async (held) => {
      if (!options.hearing.settings.enabled) return;
      const uuids = new Set(held.map(({ paused }) => paused.uuid));
      for (const uuid of foreign) if (!uuids.has(uuid)) foreign.delete(uuid);
      for (const [uuid, { close }] of listening) {
        if (uuids.has(uuid)) continue;
        close();
        listening.delete(uuid);
        episodes.forget(uuid);
      }
      await Promise.all(held.map(listenTo));
    },
  };
}

/** Untrusted people may say what they like: a run that waits costs nothing until somebody who may steer has spoken. */
async function isAnswered(
  { waitsFor = null }: HeldRun,
  {
    isApproved,
    isAllowed,
    watch,
    said,
  }: Pick<Listening, 'isApproved' | 'isAllowed' | 'watch'> & { readonly said: readonly CommentChange[] },
): Promise<boolean> {
  if (waitsFor === null) return false;
  if (waitsFor === 'follow-up') return (await watch(said)).kind !== 'wait';
  if (waitsFor === 'held' && (await isAllowed())) return true;
  if (waitsFor === 'held') return said.some((one) => one.authority === 'trusted' && asksForWork(one));
  if (said.some((one) => one.authority === 'trusted' && one.kind !== 'deleted')) return true;
  return waitsFor === 'approval' && (await isApproved());
}

/** A command is handled by itself; everything else that a trusted user says about held changes is for the model. */
function asksForWork({ kind, comment: { body, subject } }: CommentChange): boolean {
  return kind !== 'deleted' && parseCommand(body) === null && !asksForNothing(subject);
}

async function openListening(options: PausedListenerOptions, held: HeldRun): Promise<Listening> {
  const { reader, store, hearing, reactions } = options;
  const { platform, standing = 'paused' } = held;
  const { uuid, metadata } = held.paused;
  // Loaded for the first run that is held, so that a start without one stays quick.
  const [
    { createOpenRunInbox },
    { openRunThread },
    { nameRun, parseFactsJson },
    run,
    followed,
    watched,
    resting,
  ] = await Promise.all([
    import('./open-run-inbox.ts'),
    import('../run/run-thread.ts'),
    import('../run/run-facts.ts'),
    import('../run/run.ts'),
    import('../follow-up/followed-request.ts'),
    import('../follow-up/watch-request.ts'),
    import('../follow-up/resting-request.ts'),
  ]);
  const facts = parseFactsJson(metadata.extra);
  const logger = options.logger.child({ task: nameRun(facts, platform.platform), run: uuid });
  const { history } = await reader.readRun(uuid);
  const key = parseTaskKeyJson(metadata.taskKey);
  await run.confirmThread(facts, { ports: platform.platform.openThread(key) });
  const { ports, comments, review } = openRunThread(platform, key);
  const state = store.openState(uuid);
  const heard = followed.withFollowedRequest({ platform, ports, comments }, { state, logger });
  const acknowledgements = answerByEntries({
    outbox: reactions && ports.reactions !== null ? store.openOutbox(uuid) : null,
    show: async () => (standing === 'left' ? undefined : options.show(held)),
  });
  const ears = await createOpenRunInbox(hearing)(
    {
      uuid,
      facts,
      startedAt: metadata.createdAt,
      state,
      thread: { platform, ports, comments: heard, review, acknowledgements },
      journal: { read: history },
      logger,
    },
    { onlyListens: true, hasFailed: standing === 'failed' },
  );
  const stop = options.doorbell.onRing(key, options.wake);
  let request: RestingRequest | null = null;
  const openRequest = (at: TaskKey): RestingRequest => {
    request = resting.openRestingRequest(platform, at);
    return request;
  };
  return {
    ears,
    isApproved: createApprovalTest(
      { approvals: createApprovals(state), reactions: ports.reactions },
      { isTrusted: ears.isTrusted, now: hearing.now },
    ),
    isAllowed: () => hasAllowedItem(state),
    watch: watched.openRequestWatch(
      { uuid, platform, key, state, outbox: store.openOutbox(uuid), logger },
      {
        settings: options.followUp ?? null,
        doIntent: createDoIntent(hearing),
        now: hearing.now,
        openRequest,
      },
    ),
    close: () => {
      stop();
      request?.close();
      heard.close();
    },
  };
}

/** Answers commands by entries of the run's outbox, which are shown until the platform takes them. `outbox`: null where nobody wants reactions. */
function answerByEntries({
  outbox,
  show,
}: {
  readonly outbox: Outbox | null;
  readonly show: () => Promise<void>;
}): Pick<Acknowledgements, 'give'> {
  return {
    give: async (meaning, commentIds) => {
      if (meaning === 'seen' || outbox === null) return;
      for (const commentId of commentIds) await outbox.open(toReactionIntent({ meaning, commentId }));
      await show();
    },
  };
}

/** Milliseconds between two requests for the reactions to a question: no feed reports them. */
const reactionsMs = 60_000;

function createApprovalTest(
  source: Omit<ReactionSource, 'approvals'> & { readonly approvals: ReturnType<typeof createApprovals> },
  { isTrusted, now }: { readonly isTrusted: RunInbox['isTrusted']; readonly now: () => number },
): Listening['isApproved'] {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - lastMs >= reactionsMs) {
      await takeApprovingReaction(source, { isTrusted });
      lastMs = now();
    }
    return ((await source.approvals.read())?.given ?? null) !== null;
  };
}
