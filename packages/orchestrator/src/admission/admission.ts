import { type Account, formatTaskKey, type TaskSummary, type Thread } from '@agent/platforms';
import type { RestingRuns, RunReader } from '@agent/run-store';
import { type Locale, localeOf } from '@agent/text';
import type { RunLogger } from '../host/ports.ts';
import { findTaken } from '../intents/intents.ts';
import { runTexts } from '../report/texts.ts';
import { type Handover, parseFactsJson, type RunFacts } from '../run/run-facts.ts';
import type { ConfiguredPlatform, OpenedThread, ThreadSnapshot } from '../run/run-thread.ts';
import { createTrust, type IsTrusted } from '../thread/trust.ts';
import type { HandoverRecords, RecordedThread, UnansweredRecords } from '../triggers/handover-records.ts';
import { collectFacts } from './collect-facts.ts';
import { checkHandover, refuseHandover } from './handover.ts';
import type { KnownRepositories } from './known-repositories.ts';
import { findRefusal, refuseThread } from './refusals.ts';
import { findTaskOfDraft, type TaskOfDraft } from './task-of-draft.ts';
import { ThreadHeldError } from './thread-held.ts';

/** A thread to begin a run on. */
export interface FoundTask {
  readonly summary: Pick<TaskSummary, 'key'>;
  readonly platform: ConfiguredPlatform;
  /** The run of this thread that failed and is to be gone on from; its label need not wait. Default none. */
  readonly retryOf?: string | undefined;
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
  const {
    handovers,
    unanswered,
    repositories,
    locale,
    branchPrefix,
    shutdown: signal,
    now,
    logger,
  } = options;
  // Before the first comment on a thread: another repository can have the name.
  const requireName = async ({
    platform: { platform },
    ports,
  }: Pick<OpenedThread, 'platform' | 'ports'>): Promise<void> => {
    const described = await ports.repository?.describe({ signal });
    if (described)
      await repositories.require({ host: platform.host, id: described.id, path: described.path });
  };
  return {
    readWaiting: async ({ platform, ports }, { retryOf }) => {
      const { trigger, confidentialIssues, isRemoved } = platform;
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
      await requireName({ platform, ports });
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
        await requireName({ platform, ports });
        const { refusal } = checked;
        logger.warn({ ...refusal, url: thread.url }, 'refused task: not assigned by a trusted user');
        const spoken = localeOf(thread, { setting: locale });
        await refuseHandover({ ports, trigger, refusal, policy, locale: spoken, now, signal });
        await handovers.forget(named);
        return null;
      }
      const handover = checked.status === 'given' ? checked.handover : null;
      const owed = { unanswered: await unanswered.read(named) };
      const task = await findTaskOfDraft({ platform, ports }, { thread, ownAccount, branchPrefix, signal });
      await requireUnshown(options, { named: task?.filedAs ?? named, handover, retryOf });
      const belongsTo = task?.filedAs.taskKeyText ?? null;
      const facts = await collectFacts(
        { thread, listing, ports },
        { locale, branchPrefix, ownAccount, handover, belongsTo, ...owed, signal },
      );
      const { host } = platform.platform;
      if (facts.repository !== null) await repositories.require({ host, ...facts.repository });
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
