import type { CommentSource, ThreadReader } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { TextWorker } from '@agent/text/worker';
import type { PictureSettings } from '../config/picture-settings.ts';
import type { RunSettings } from '../config/run-settings.ts';
import { keepWatchWish } from '../follow-up/follow-up-record.ts';
import { allowItems } from '../held/held-record.ts';
import { readHeardComments } from '../inbox/delivered-comments.ts';
import { type CommandRecord, createCommandRecord } from '../inbox/handled-commands.ts';
import { createRunInbox, type RunInbox } from '../inbox/run-inbox.ts';
import type { RunInboxOptions } from '../inbox/run-inbox-options.ts';
import { createRunPictures, noPictures, type RunPictures } from '../pictures/run-pictures.ts';
import { createApprovals } from '../plan/approvals.ts';
import { noRejections, openRejections, type Rejections } from '../plan/rejections.ts';
import type { Run } from '../run/run.ts';
import { nameRun } from '../run/run-facts.ts';
import type { RunThread } from '../run/run-thread.ts';
import { toAllowBudget } from '../spending/budgets.ts';
import type { SpendingServices } from '../spending/run-spending.ts';
import type { AuditLog } from '../state/audit-log.ts';
import {
  createDetectionRecord,
  type DetectionRecord,
  type RecordedHearing,
} from '../thread/detection-record.ts';
import { withReviews } from '../thread/review-sources.ts';
import { createTextCleaner, createTextGuard, openEnvelopeNonce } from '../thread/text-guard.ts';
import type { ThreadShares } from '../thread/thread-shares.ts';
import { type ProvenComments, withoutThreadText, withThreadText } from '../thread/thread-text.ts';
import { createTrust } from '../thread/trust.ts';
import { toRecordedThread } from '../triggers/handover-records.ts';

export interface OpenRunInboxOptions {
  readonly settings: RunSettings['comment_detection'];
  readonly controls: RunControls;
  /** Cleans what strangers wrote, off the main thread. */
  readonly textWorker: TextWorker;
  /** Language of the log lines that exist in two. */
  readonly logLocale: Locale;
  readonly redactSecrets: Redact;
  /** Money of all runs; null, as by default, where nothing costs anything. */
  readonly spending?: Pick<SpendingServices, 'budgets' | 'limits' | 'currency'> | null | undefined;
  /** True where runs make assumptions, which people may reject. */
  readonly assumes: boolean;
  /** Comments that approve a plan, if one is all that a comment says. */
  readonly approvalPhrases: readonly string[];
  /** Null, the default, for a model that is shown no pictures. */
  readonly pictures?: PictureSettings | null | undefined;
  /** Sizes of what is delivered, by the model's window. */
  readonly shares?: ThreadShares | undefined;
  /** Log of what users do. Default: none. */
  readonly audit?: CommandAudit | undefined;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  /** Spaces the looks at a thread. Default: the system's. */
  readonly clock?: RunInboxOptions['clock'];
}

/** Audit log, as far as commands are written to it. */
export type CommandAudit = Pick<AuditLog, 'write'>;

/** A run, as far as hearing its thread goes. */
export interface HearingRun extends Pick<Run, 'uuid' | 'facts' | 'startedAt' | 'state' | 'logger'> {
  readonly thread: Pick<RunThread, 'platform' | 'ports' | 'comments' | 'review'> & {
    readonly acknowledgements: Pick<RunThread['acknowledgements'], 'give'>;
  };
  readonly journal: RecordedHearing['journal'];
}

export interface HearingMode {
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** Told when an assumption of the run was rejected. */
  readonly onRejected?: (() => Promise<void>) | undefined;
  /** True for one who only listens to a run that is paused: nothing is kept. Default false. */
  readonly onlyListens?: boolean | undefined;
  /** True for a run that failed: it can only be told to go on. Default false. */
  readonly hasFailed?: boolean | undefined;
}

export type OpenRunInbox = (run: HearingRun, mode?: HearingMode) => Promise<RunInbox>;

/**
 * Creates what lets a run hear its thread. A run that begins takes its snapshot for known when its conversation
 * is opened; one that goes on knows what its journal has delivered.
 */
export function createOpenRunInbox(options: OpenRunInboxOptions): OpenRunInbox {
  const {
    settings,
    controls,
    textWorker,
    logLocale,
    redactSecrets,
    assumes,
    shutdown,
    now,
    spending = null,
    audit = null,
    pictures = null,
    shares,
  } = options;
  /** One for all inboxes of a run: that of its preparation and its own. */
  const commandRecords = new WeakMap<HearingRun['state'], CommandRecord>();
  const openCommandRecord = (state: HearingRun['state']): CommandRecord => {
    const record = commandRecords.get(state) ?? createCommandRecord(state);
    commandRecords.set(state, record);
    return record;
  };
  return async ({ uuid, facts, startedAt, state, thread, journal, logger }, mode = {}) => {
    const { platform, ports, comments, review, acknowledgements } = thread;
    const { showHistory, onRejected, onlyListens = false, hasFailed } = mode;
    const since = facts.threadUpdatedAt ?? startedAt;
    const record = {
      ...createDetectionRecord({ journal, state, startedAt: since, logger }),
      commands: openCommandRecord(state),
      listHeard: () => readHeardComments({ journal, state, logger }),
    };
    const ownAccount = await platform.platform.identity.whoAmI({ signal: shutdown });
    const { reader } = ports;
    const proving = comments.getComment === undefined ? reader : comments;
    const proven = withReviews(withProof(comments, proving), {
      review,
      settings,
      reader,
      ownAccount,
      logger,
    });
    const { permissions } = ports;
    const isTrusted = createTrust({ policy: platform.trust, permissions, ownAccount, now });
    const nonce = await openEnvelopeNonce(state, { logger });
    return createRunInbox({
      uuid,
      comments: onlyListens
        ? proven
        : withThreadText(proven, { reader: ports.reader, ownAccount, now, logger }),
      ownAccount,
      botName: platform.botName,
      isTrusted,
      guard: createTextGuard({
        nonce,
        pictures: onlyListens ? noPictures : openPictures(pictures, { thread, state, logger }),
        clean: createTextCleaner({ textWorker, logger }),
        isTrusted,
        logger,
      }),
      controls,
      // Whoever only listens looks when it is told to.
      settings: onlyListens ? { ...settings, check_interval: 1 } : settings,
      record: onlyListens ? toListenersRecord(record) : record,
      logLocale,
      shares,
      clock: options.clock,
      showHistory,
      hasFailed,
      // Only what a run opened for an issue is its own.
      wishWatch: async (wish) => facts.kind === 'issue' && keepWatchWish(state, wish),
      allowHeld: (given) => allowItems(state, given),
      allowBudget: toAllowBudget(spending, toRecordedThread(ports.key, platform.platform)),
      rejections: assumes
        ? telling(await openRejections(state, { locale: facts.locale, redactSecrets, logger }), onRejected)
        : noRejections,
      onApplied: toAuditCommand(audit, { uuid, name: nameRun(facts, platform.platform), now, logger }),
      approvals: createApprovals(state),
      approvalPhrases: options.approvalPhrases,
      acknowledge: (meaning, ids) => acknowledgements.give(meaning, ids),
      logger,
    });
  };
}

/** Commands keep their effect where the log cannot be written. */
function toAuditCommand(
  audit: CommandAudit | null,
  run: { readonly uuid: string; readonly name: string } & Pick<OpenRunInboxOptions, 'now'> &
    Pick<HearingRun, 'logger'>,
): RunInboxOptions['onApplied'] {
  if (audit === null) return undefined;
  const { uuid, name, now, logger } = run;
  return async ({ command, by, comment, revision }) => {
    const id = [uuid, comment, revision, command].join(' ');
    const entry = { id, at: now(), actor: by ?? '', via: 'comment', action: command } as const;
    const result = { target: name, run: uuid, outcome: 'accepted', reason: null } as const;
    await audit.write({ ...entry, ...result }).catch((err: unknown) => {
      logger.warn({ err, command }, 'failed to write audit log');
    });
  };
}

function openPictures(
  settings: PictureSettings | null,
  { thread: { platform, ports }, state, logger }: Pick<HearingRun, 'thread' | 'state' | 'logger'>,
): RunPictures {
  if (settings?.enabled !== true) return noPictures;
  const source = platform.platform.openPictures?.(ports.key);
  return source === undefined ? noPictures : createRunPictures({ settings, source, state, logger });
}

function telling(rejections: Rejections, onRejected: HearingMode['onRejected']): Rejections {
  const record = async (body: string): Promise<boolean> => {
    const isKnown = await rejections.record(body);
    if (isKnown) await onRejected?.();
    return isKnown;
  };
  return { ...rejections, record };
}

/** The record of one who keeps nothing and reads comments alone: the thread's own text, which gives no commands, is left out. */
function toListenersRecord<Record extends DetectionRecord>(record: Record): Record {
  const read = async () => (await record.read()).map(withoutThreadText);
  return { ...record, read, observe: undefined, save: () => {} };
}

/** The same comments, on a platform that shows one by its id where it can: so a deletion is proven. */
function withProof(
  { listComments }: CommentSource,
  { getComment }: Pick<ThreadReader, 'getComment'>,
): ProvenComments {
  return getComment === undefined ? { listComments } : { listComments, getComment };
}
