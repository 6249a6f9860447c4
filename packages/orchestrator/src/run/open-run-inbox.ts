import { createTextCleaner } from '../inbox/create-text-cleaner.ts';
import { createTextGuard } from '../inbox/create-text-guard.ts';
import { createTrust } from '../inbox/create-trust.ts';
import { createDetectionStateFile } from '../inbox/detection-state-file.ts';
import { openEnvelopeNonce } from '../inbox/open-envelope-nonce.ts';
import { type DeliveringEntry, readDeliveries } from '../inbox/read-deliveries.ts';
import { createRunInbox, type RunInbox } from '../inbox/run-inbox.ts';
import { noRejections, openRejections } from '../pre-plan/rejections.ts';
import type { ActiveRun, RunParts } from './run.ts';

export type RunInboxParts = Pick<
  RunParts,
  'config' | 'controls' | 'textWorker' | 'logLocale' | 'hideKnownSecrets' | 'shutdown' | 'now'
> &
  Partial<Pick<RunParts, 'prePlanning'>>;

/** A run, as far as hearing its thread goes. */
export interface RunInboxSubject
  extends Pick<
    ActiveRun,
    'uuid' | 'platform' | 'thread' | 'comments' | 'state' | 'facts' | 'startedAt' | 'logger'
  > {
  readonly acknowledgements: ActiveRun['acknowledgements'];
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** True for one who only listens to a run that is paused: nothing is kept. Default false. */
  readonly onlyListens?: boolean | undefined;
  /** True for a run that failed: it can only be told to go on. Default false. */
  readonly hasFailed?: boolean | undefined;
  readonly journal: { readonly read: () => AsyncIterable<DeliveringEntry> };
}

/**
 * Lets a run hear what is said on its thread. A run that begins takes its snapshot for known when its conversation
 * is opened; one that goes on knows what its journal has delivered.
 */
export async function openRunInbox(parts: RunInboxParts, run: RunInboxSubject): Promise<RunInbox> {
  const { uuid, thread, comments, journal, facts, logger } = run;
  const file = createDetectionStateFile(run.state, logger);
  const { comment_detection: settings } = parts.config;
  const ownAccount = await run.platform.platform.identity.whoAmI({ signal: parts.shutdown });
  const { permissions } = thread;
  const isTrusted = createTrust({ policy: run.platform.trust, permissions, ownAccount, now: parts.now });
  const nonce = await openEnvelopeNonce(run.state, { logger });
  return createRunInbox({
    uuid,
    comments,
    ownAccount,
    botName: run.platform.botName,
    isTrusted,
    guard: createTextGuard({ nonce, clean: createTextCleaner({ ...parts, logger }), isTrusted, logger }),
    controls: parts.controls,
    // Whoever only listens looks when it is told to.
    settings: run.onlyListens ? { ...settings, check_interval: 1 } : settings,
    startedAt: secondBefore(facts.threadUpdatedAt ?? run.startedAt),
    logLocale: parts.logLocale,
    earlier: { state: await file.read(), delivered: await readDeliveries(journal.read()) },
    save: run.onlyListens ? () => {} : file.save,
    showHistory: run.showHistory,
    hasFailed: run.hasFailed,
    rejections: parts.prePlanning
      ? await openRejections(run.state, {
          locale: facts.locale,
          hideKnownSecrets: parts.hideKnownSecrets,
          logger,
        })
      : noRejections,
    acknowledge: (meaning, ids) => run.acknowledgements.give(meaning, ids),
    logger,
  });
}

/** What shares the second of the snapshot is told apart by what the journal says of the snapshot. */
function secondBefore(time: string): string {
  return new Date(Date.parse(time) - 1_000).toISOString();
}
