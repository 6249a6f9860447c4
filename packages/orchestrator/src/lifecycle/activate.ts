import { parseTaskKeyJson, type TaskKey } from '@agent/platforms';
import type { Doorbell } from '@agent/platforms/sources';
import type { OpenRun, PauseSignal, RunControls } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { ObserveBoard } from '../board/board-event.ts';
import { portsWhileOwned } from '../connection/while-owned.ts';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import { reactingTo, withFollowedRequest } from '../follow-up/followed-request.ts';
import type { RunLogger } from '../host/ports.ts';
import { createAcknowledgements } from '../inbox/acknowledgements.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { isOfResume } from '../intents/intents.ts';
import { tellingOfNews } from '../listening/telling-of-news.ts';
import { hasShownWork, toWorkLabel } from '../outbox/perform-entry.ts';
import { parseLineage } from '../past/run-lineage.ts';
import type { OpenProgress } from '../progress/open-progress.ts';
import { confirmRepository, type Run } from '../run/run.ts';
import type { Claims } from '../run/run-claim.ts';
import { createRunComments } from '../run/run-comments.ts';
import { createRunControl, type RunControl, type ThreadRings } from '../run/run-control.ts';
import { nameRun, parseFactsJson } from '../run/run-facts.ts';
import { createRecordCheck } from '../run/run-record.ts';
import { watchTakeover } from '../run/run-takeover.ts';
import {
  type ConfiguredPlatform,
  createMayLag,
  createRunAudience,
  type OpenedThread,
  openRunThread,
  overheardBy,
  sinceBegun,
  writingFor,
} from '../run/run-thread.ts';
import type { SignalChecks } from '../run/signal-checks.ts';
import { overhearReviews } from '../thread/review-sources.ts';

export interface ActivateOptions {
  readonly controls: RunControls;
  /** While it is set, runs pause and none begins. */
  readonly pauseSignal: Pick<PauseSignal, 'isSet'>;
  readonly checks: SignalChecks;
  readonly claims: Pick<Claims, 'of'>;
  readonly doIntent: DoIntent;
  readonly openProgress: OpenProgress;
  readonly doorbell: Pick<Doorbell, 'onRing'>;
  /** True where reactions show people what became of their comments. */
  readonly reactions: boolean;
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  readonly logger: RunLogger;
}

export interface OpenedRun {
  readonly open: OpenRun<ModelMessage>;
  readonly platform: ConfiguredPlatform;
  /** The thread, where the caller has opened it already. */
  readonly thread?: OpenedThread;
}

/** A run that this process holds, ready to be carried. */
export interface HeldByProcess
  extends Pick<OpenRun<ModelMessage>, 'finalSummary' | 'crashesInARow' | 'leave'> {
  readonly run: Run;
  /** Hears what is asked of this run from outside. */
  readonly control: RunControl;
}

export type Activate = (opened: OpenedRun) => HeldByProcess;

/** The record of a run, open or at rest. */
export type RunParts = Pick<
  OpenRun<ModelMessage>,
  'metadata' | 'journal' | 'outbox' | 'state' | 'damage' | 'position'
>;

/** Makes a run of its parts. */
export type MakeRun = (
  parts: RunParts,
  at: Pick<OpenedRun, 'platform' | 'thread'>,
) => Pick<HeldByProcess, 'run' | 'control'>;

/** Creates what makes a run of an open directory. */
export function createActivate(makeRun: MakeRun): Activate {
  return ({ open, ...at }) => {
    const { finalSummary, crashesInARow, leave } = open;
    return { ...makeRun(open, at), finalSummary, crashesInARow, leave };
  };
}

/** Creates what makes runs: everything that one needs comes from its metadata. */
export function createMakeRun(options: ActivateOptions): MakeRun {
  const { controls, pauseSignal, checks, claims, doIntent, openProgress, reactions, shutdown, now } = options;
  return (parts, { platform, thread }) => {
    const { uuid, extra, taskKey, createdAt: startedAt } = parts.metadata;
    const { position } = parts;
    const record = watchTakeover(parts);
    const { outbox, state } = record;
    const journal = tellingOfNews(record.journal, (news) =>
      options.observe({ type: 'comments', uuid, ...news }),
    );
    const facts = parseFactsJson(extra);
    const { comments, review, meter, ...opened } =
      thread ?? openRunThread(platform, parseTaskKeyJson(taskKey));
    // Whoever finds at a write that another process has the run tells the thread nothing more of it.
    const mayLag = createMayLag({ isLeft: thread === undefined, now });
    const owned = portsWhileOwned(sinceBegun(opened.ports, facts, mayLag), record);
    const ports = { ...owned, reactions: reactingTo(owned.reactions) };
    const audience = createRunAudience(state);
    const logger = options.logger.child({ task: nameRun(facts, platform.platform), run: uuid });
    const heard = withFollowedRequest({ platform, ports, comments }, { state, logger });
    const writer = writingFor(audience, ports.writer);
    const rings = listenForThread(options.doorbell, ports);
    const close = () => {
      rings.close();
      heard.close();
    };
    const runThread = {
      platform,
      ports: { ...ports, writer },
      writer: createRunComments({ uuid, outbox, logger }, { writer, doIntent }),
      comments: { ...overheardBy(audience, heard), close },
      review: overhearReviews(review, audience.hear),
      meter,
      audience,
      acknowledgements: createAcknowledgements({
        reactions: reactions ? ports.reactions : null,
        outbox,
        shutdown,
        logger,
      }),
    };
    const lineage = parseLineage(parts.metadata);
    // Its words are no one's but ours, whoever may read the rest of the thread.
    const recordCheck = createRecordCheck({ ...parts, ...record });
    const named = { uuid, locale: facts.locale, startedAt, logger };
    const { readSections, show } = openProgress({ ...named, facts, journal, state, thread: runThread });
    const { compare: onNoted } = recordCheck;
    const claim = claims.of({
      ...named,
      kind: facts.kind,
      thread: ports,
      serverNow: platform.platform.serverNow,
      position,
      outbox,
      readSections,
      onNoted,
    });
    const workLabel = toWorkLabel(runThread);
    const control = createRunControl({
      uuid,
      controls,
      pauseSignal,
      thread: {
        reader: ports.reader,
        describe: ports.repository?.describe ?? null,
        signs: platform.trigger.signs,
        hasShownWork: () => hasShownWork(outbox, workLabel),
        assigned: facts.assigned,
        startsOpen: async () => !(await outbox.list()).some(({ id }) => isOfResume(id)),
        follows: async () => (await readFollowUp(state)) !== null,
        ownAccount: () => platform.platform.identity.whoAmI(),
      },
      rings,
      claim,
      confirm: ({ signal }) => confirmRepository({ facts, thread: { ports } }, { signal }),
      checks,
      now,
      logger,
    });
    const progress = show(claim);
    const files = { journal, outbox, state, position, recordCheck };
    const run = {
      uuid,
      facts,
      lineage,
      startedAt,
      thread: runThread,
      claim,
      progress,
      ...files,
      logger,
    };
    return { run, control };
  };
}

/** Listens for webhooks about a thread. */
function listenForThread(
  doorbell: Pick<Doorbell, 'onRing'>,
  { key }: { readonly key: TaskKey },
): ThreadRings & { readonly close: () => void } {
  const rung = { thread: false, any: false };
  const close = doorbell.onRing(key, ({ commentId }) => {
    rung.thread ||= commentId === null;
    rung.any = true;
  });
  const take = (name: keyof typeof rung) => (): boolean => {
    const was = rung[name];
    rung[name] = false;
    return was;
  };
  return { takeThread: take('thread'), takeAny: take('any'), close };
}
