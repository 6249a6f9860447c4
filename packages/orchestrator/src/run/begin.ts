import { randomUUID } from 'node:crypto';
import {
  type Account,
  type CommentListing,
  formatTaskKey,
  type TaskSummary,
  type Thread,
  toTaskKeyJson,
} from '@agent/platforms';
import type { RestingRuns, RunReader, RunStore } from '@agent/run-store';
import { type Locale, localeOf } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { ObserveBoard } from '../board/board-event.ts';
import { createTrust, type IsTrusted } from '../inbox/trust.ts';
import { findTaken } from '../outbox/intents.ts';
import type { BeginInheritance, RunBeginning } from '../past/begin-inheritance.ts';
import { findTextAuthors } from '../past/find-text-author.ts';
import { toLineageJson } from '../past/run-lineage.ts';
import type { ConfiguredModel, RunLogger } from '../ports.ts';
import { runTexts } from '../report/texts.ts';
import type { Activate, HeldByProcess } from './activate.ts';
import { collectFacts } from './collect-facts.ts';
import { checkHandover, refuseHandover } from './handover.ts';
import {
  type HandoverRecords,
  type RecordedThread,
  toRecordedThread,
  type UnansweredRecords,
} from './handover-records.ts';
import type { KnownRepositories } from './known-repositories.ts';
import { findRefusal, refuseThread } from './refusals.ts';
import type { Claims } from './run-claim.ts';
import { type Handover, parseFactsJson, type RunFacts, toFactsJson } from './run-facts.ts';
import {
  type ConfiguredPlatform,
  type OpenedThread,
  openRunThread,
  type Snapshot,
  type ThreadSnapshot,
} from './run-thread.ts';
import { findTaskOfDraft, type TaskOfDraft, type WakeSibling } from './task-of-draft.ts';
import { ThreadHeldError } from './thread-held.ts';

/** A thread to begin a run on. */
export interface FoundTask {
  readonly summary: Pick<TaskSummary, 'key'>;
  readonly platform: ConfiguredPlatform;
  /** The run of this thread that failed and is to be gone on from; its label need not wait. Default none. */
  readonly retryOf?: string | undefined;
}

export interface BegunRun extends HeldByProcess {
  readonly snapshot: Snapshot;
}

/** Null where the thread is no task any more, or was given back to people. */
export type Begin = (found: FoundTask) => Promise<BegunRun | null>;

export interface BeginOptions {
  readonly admission: Admission;
  readonly claims: Pick<Claims, 'findHolder'>;
  readonly inherit: BeginInheritance;
  readonly wakeSibling: WakeSibling;
  readonly store: Pick<RunStore<ModelMessage>, 'open'>;
  /** Forgets what the agent kept of a thread until a run has begun. */
  readonly handovers: Pick<HandoverRecords, 'forget'>;
  readonly activate: Activate;
  /** Kept in `metadata.json`. */
  readonly model: ConfiguredModel['description'];
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
}

/**
 * Creates what begins a run: one snapshot of the thread, who gave it to us, then `metadata.json`; nothing on the platform has
 * changed yet. Null when the thread is no task any more, because the listing that named it was older than the thread is
 * now, and when it must not be worked on or nobody who may gave it to us: then it is given back to people.
 */
export function createBegin(options: BeginOptions, newUuid: () => string = randomUUID): Begin {
  const { admission, inherit, shutdown: signal } = options;
  return async (found) => {
    const opened = openRunThread(found.platform, found.summary.key);
    try {
      const thread = await admission.readWaiting(opened, found);
      if (thread === null) return null;
      const listing = await opened.comments.listComments({ since: null, fresh: true, signal });
      await requireFree(options, opened, listing);
      const admitted = await admission.judge(opened, { ...found, thread, listing });
      if (admitted === null) {
        opened.comments.close();
        return null;
      }
      const { task } = admitted;
      if (task !== null && found.retryOf === undefined && (await options.wakeSibling(task))) {
        await found.platform.trigger.release(opened.ports, { signal });
        opened.comments.close();
        return null;
      }
      const snapshot = { thread, listing };
      const own = toRecordedThread(opened.ports.key, found.platform.platform);
      const said = task === null ? [] : await task.listComments();
      const beginning = await inherit({
        ...admitted,
        thread: { ...(task?.filedAs ?? own), repositoryId: admitted.facts.repository?.id },
        // Earlier runs of the task rest on what was said on the issue, too.
        snapshot: { thread, listing: { ...listing, comments: [...said, ...listing.comments] } },
        issue: task?.issue ?? thread,
        readTextAuthors: task?.readTextAuthors ?? (() => findTextAuthors(opened.ports, thread, { signal })),
        botName: found.platform.botName,
        locale: admitted.facts.locale,
      });
      const subject = { opened, snapshot, facts: admitted.facts, beginning, retryOf: found.retryOf ?? null };
      return await openRun(options, { ...subject, uuid: newUuid() });
    } catch (error) {
      opened.comments.close();
      throw error;
    }
  };
}

/** @throws ThreadHeldError where a run of another directory is at work on the thread, by the claim that stands there */
async function requireFree(
  { claims, shutdown: signal }: BeginOptions,
  { platform: { platform }, ports }: OpenedThread,
  listing: CommentListing,
): Promise<void> {
  const { identity, serverNow } = platform;
  const holder = await claims.findHolder(listing, {
    ownAccount: await identity.whoAmI({ signal }),
    serverNow,
  });
  if (holder !== null) throw new ThreadHeldError({ thread: formatTaskKey(ports.key), holder });
}

/** Parts that a run is made of. */
interface Beginning {
  readonly uuid: string;
  readonly opened: OpenedThread;
  readonly snapshot: ThreadSnapshot;
  readonly facts: RunFacts;
  readonly beginning: RunBeginning;
  readonly retryOf: string | null;
}

async function openRun(
  { store, handovers, activate, model, observe }: BeginOptions,
  { uuid, opened, snapshot, facts, beginning, retryOf }: Beginning,
): Promise<BegunRun> {
  const { platform } = opened;
  const { inherited } = beginning;
  const lineage = { ...beginning.lineage, retryOf };
  const named = toRecordedThread(opened.ports.key, platform.platform);
  const run = {
    uuid,
    taskKey: toTaskKeyJson(opened.ports.key),
    host: named.host,
    taskKeyText: facts.belongsTo ?? named.taskKeyText,
    user: snapshot.thread.author?.login ?? null,
    config: {
      llm_provider: model.provider,
      model: model.model,
      context_length: model.contextLength,
    },
    extra: { ...toFactsJson(facts), ...toLineageJson(lineage) },
    inheritedFromUuid: lineage.fromUuid,
    inheritanceDepth: lineage.depth,
  };
  // A process that was cut off meanwhile leaves the thread to what another has begun there since.
  const open = await store.open(run, { alone: true });
  await handovers.forget(named);
  const held = activate({ open, platform, thread: opened });
  const { logger, thread } = held.run;
  logger.info(
    { title: facts.title, url: facts.url, branch: facts.repository?.branch ?? null },
    'started task',
  );
  if (inherited !== null) observe({ type: 'inheritance', depth: lineage.depth, tokens: lineage.tokens });
  const { give } = thread.acknowledgements;
  if (facts.handover?.commentId != null) await give('seen', [facts.handover.commentId]);
  await give('done', beginning.obeyed);
  await give('refused', beginning.refused);
  return { ...held, snapshot: { ...snapshot, inherited } };
}

/** Decides whether a thread is worked on; one that is not is given back to people. */
export interface Admission {
  /** Null when the thread does not wait for a run, or must not have one; then it was told so. */
  readonly readWaiting: (opened: OpenedThread, found: Pick<FoundTask, 'retryOf'>) => Promise<Thread | null>;
  /** Null where nobody who may gave the thread to us; then it was told so. */
  readonly judge: (
    opened: OpenedThread,
    found: Pick<FoundTask, 'retryOf'> & ThreadSnapshot,
  ) => Promise<Admitted | null>;
}

/** A thread that somebody who may gave to us. */
export interface Admitted {
  readonly facts: RunFacts;
  /** The agent's own account. */
  readonly ownAccount: Account;
  readonly isTrusted: IsTrusted;
  /** The issue that the thread was opened for by the agent; null for any other thread. */
  readonly task: TaskOfDraft | null;
}

export interface AdmissionOptions {
  readonly handovers: Pick<HandoverRecords, 'read' | 'forget'>;
  readonly unanswered: Pick<UnansweredRecords, 'read'>;
  readonly repositories: Pick<KnownRepositories, 'require'>;
  readonly listRunning: RunReader<unknown>['listRunning'];
  readonly store: Pick<RestingRuns<unknown>, 'openOutbox'>;
  readonly locale: 'auto' | Locale;
  readonly branchPrefix: string;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** Creates it. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { handovers, unanswered, locale, branchPrefix, shutdown: signal, now, logger } = options;
  return {
    readWaiting: async ({ platform: { trigger, confidentialIssues, isRemoved }, ports }, { retryOf }) => {
      const thread = await ports.reader.readThread({ signal });
      if (thread.state !== 'open') return null;
      if (isRemoved?.(thread) === true) {
        logger.info({ url: thread.url }, 'skipped task: repository is no longer configured');
        return null;
      }
      if (retryOf === undefined && (await trigger.claim({ ports, thread }, { signal })) === 'theirs')
        return null;
      const refusal = await findRefusal(thread, { ports, confidentialIssues, signal });
      if (refusal === null) return thread;
      logger.warn({ url: thread.url, reason: runTexts.en.refusals[refusal] }, 'refused task');
      await refuseThread(refusal, { thread, ports, trigger, locale, signal });
      return null;
    },
    judge: async ({ platform, ports }, { thread, listing, retryOf }) => {
      const { trigger, trust: policy } = platform;
      const ownAccount = await platform.platform.identity.whoAmI({ signal });
      const isTrusted = createTrust({ policy, permissions: ports.permissions, ownAccount, now });
      const named = { taskKeyText: formatTaskKey(ports.key), host: platform.platform.host };
      const restored = await handovers.read(named);
      const listHandovers = (since: string | null) => trigger.signs.listHandovers(ports, { since, signal });
      const checked = await checkHandover({ listHandovers, thread, ownAccount, isTrusted, restored, signal });
      if (checked.status === 'refused') {
        const { refusal } = checked;
        logger.warn({ ...refusal, url: thread.url }, 'refused task: not assigned by a trusted user');
        const spoken = localeOf(thread, { setting: locale });
        await refuseHandover({ ports, trigger, refusal, policy, locale: spoken, now, signal });
        await handovers.forget(named);
        return null;
      }
      const handover = checked.status === 'given' ? checked.handover : null;
      const owed = { unanswered: await unanswered.read(named) };
      const task = await findTaskOfDraft({ platform, ports }, { thread, ownAccount, signal });
      await requireUnshown(options, { named: task?.filedAs ?? named, handover, retryOf });
      const belongsTo = task?.filedAs.taskKeyText ?? null;
      const facts = await collectFacts(
        { thread, listing, ports },
        { locale, branchPrefix, ownAccount, handover, belongsTo, ...owed, signal },
      );
      const { host } = platform.platform;
      if (facts.repository !== null) await options.repositories.require({ host, ...facts.repository });
      return { facts, ownAccount, isTrusted, task };
    },
  };
}

/**
 * Requires that no run has answered the request whose end the thread does not show yet: its sign stands there still, and would
 * begin one run after the other. A run answers the request of its beginning, or the one that resumed it last.
 *
 * @throws ThreadHeldError
 */
async function requireUnshown(
  { listRunning, store }: Pick<AdmissionOptions, 'listRunning' | 'store'>,
  {
    named,
    handover,
    retryOf,
  }: Pick<FoundTask, 'retryOf'> & { readonly named: RecordedThread; readonly handover: Handover | null },
): Promise<void> {
  const ended = (await listRunning({ of: named })).filter(
    // A retry answers the request of the run that failed once more.
    ({ uuid, outcome }) => uuid !== retryOf && outcome !== null,
  );
  for (const { uuid, metadata } of ended) {
    const begunAt = parseFactsJson(metadata.extra).handover?.at ?? null;
    const answeredAt = findTaken(await store.openOutbox(uuid).list(), begunAt);
    if (handover === null || answeredAt === null || Date.parse(handover.at) <= Date.parse(answeredAt))
      throw new ThreadHeldError({ thread: named.taskKeyText, holder: uuid, why: 'unshown' });
  }
}
