import { parseTaskKeyJson } from '@agent/platforms';
import {
  ContextStoreError,
  type InterruptedRun,
  type PausedRun,
  type RunControls,
  type RunStore,
} from '@agent/run-store';
import { endCommandsOf } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import type { ReadRun } from '../conversation/open-conversation.ts';
import type { RunLogger } from '../host/ports.ts';
import { runTexts } from '../report/texts.ts';
import { confirmThread, OtherRepositoryError, type Run } from '../run/run.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type HandoverRecords, toRecordedThread } from '../triggers/handover-records.ts';
import type { Activate } from './activate.ts';
import type { Begin, BegunRun } from './begin.ts';
import type { FinishRun } from './conclude.ts';
import type { ExecuteRun } from './execute.ts';
import type { PauseRun } from './pause.ts';

/** A run that an earlier process left. */
export interface LeftRun {
  readonly unfinished: Pick<InterruptedRun, 'uuid' | 'metadata' | 'outcome'>;
  readonly platform: ConfiguredPlatform;
}

/** A pause that an earlier process committed. */
export interface LeftPause {
  readonly pausing: PausedRun;
  readonly platform: ConfiguredPlatform;
}

/** Goes on with what an earlier process left. */
export interface RecoverRuns {
  /** One that has its outcome only gets what follows from it; any other goes on from its journal. */
  readonly recover: (left: LeftRun) => Promise<void>;
  /** Ends a pause that a crash cut short: it is committed, but perhaps nobody was told and nothing was moved. */
  readonly finishPause: (left: LeftPause) => Promise<void>;
}

export interface RecoverOptions {
  readonly store: Pick<RunStore<ModelMessage>, 'restore'>;
  readonly activate: Activate;
  readonly execute: ExecuteRun;
  readonly finish: FinishRun;
  readonly pause: PauseRun;
  readonly shutdown: AbortSignal;
}

/** Creates it. */
export function createRecover(options: RecoverOptions): RecoverRuns {
  const { store, activate, execute, finish, pause, shutdown } = options;
  return {
    recover: async (left) => {
      const { unfinished, platform } = left;
      const open = await store.restore(unfinished.uuid).catch(async (error: unknown) => {
        if (isDamage(error)) await reportDamage(left, { error, signal: shutdown });
        throw error;
      });
      const held = activate({ open, platform });
      const { run } = held;
      run.logger.info({ ended: unfinished.outcome !== null }, 'recovering interrupted run');
      if (unfinished.outcome !== null) {
        await confirmStillThere(run);
        return finish(run, unfinished.outcome);
      }
      await endCommandsOf(run.uuid);
      return execute(held, null);
    },
    finishPause: async ({ pausing, platform }) => {
      const open = await store.restore(pausing.uuid);
      await pause(activate({ open, platform }).run, { left: pausing.state });
    },
  };
}

/** Confirms the repository as far as it can be asked: what follows asks again; another repository at the same place hears nothing of the run. */
async function confirmStillThere(run: Run): Promise<void> {
  try {
    await confirmThread(run.facts, { ports: run.thread.ports });
  } catch (error) {
    if (error instanceof OtherRepositoryError) throw error;
    run.logger.warn({ err: error }, 'failed to confirm repository of ended run');
  }
}

function isDamage(error: unknown): error is ContextStoreError {
  return error instanceof ContextStoreError && ['damaged', 'other-version'].includes(error.code);
}

/**
 * Tells the thread of a run whose journal cannot be read, so that it does not say "processing" for ever. The
 * directory stays as it is, for somebody to look at.
 */
async function reportDamage(
  { unfinished: { uuid, metadata }, platform: { platform, trigger } }: LeftRun,
  { error, signal }: { readonly error: Error; readonly signal: AbortSignal },
): Promise<void> {
  const ports = platform.openThread(parseTaskKeyJson(metadata.taskKey));
  const thread = await ports.reader.readThread({ signal });
  if (!(await trigger.signs.shows({ ports, thread }, ['processing']))) return;
  const { locale } = parseFactsJson(metadata.extra);
  const text = runTexts[locale];
  const reason = `${text.reason} ${error.message}`;
  const body = [text.headings.failed, reason, trigger.texts[locale].retry].join('\n\n');
  await ports.writer.ensureComment({ topic: `run:${uuid}:final`, body, mayExist: true });
  await trigger.setState(ports, { state: 'failed', thread });
}

/** A run that failed and is to be gone on from. */
export interface RetriedRun {
  readonly uuid: string;
  readonly platform: ConfiguredPlatform;
}

/** Null where the thread of the run is closed, or was given back to people. */
export type BeginRetry = (failed: RetriedRun) => Promise<BegunRun | null>;

export interface BeginRetryOptions {
  readonly readRun: ReadRun;
  readonly handovers: Pick<HandoverRecords, 'keep'>;
  readonly controls: Pick<RunControls, 'remove'>;
  readonly begin: Begin;
  readonly logger: RunLogger;
}

/**
 * Creates what begins a run that goes on from one that failed: on its branch, with its conversation, and with limits of its own. The
 * request is forgotten once the new run is there; whoever finds it after a crash sees that run and forgets it too.
 */
export function createBeginRetry(options: BeginRetryOptions): BeginRetry {
  const { readRun, handovers, controls, begin, logger } = options;
  return async ({ uuid, platform }) => {
    const { metadata } = await readRun(uuid);
    const summary = { key: parseTaskKeyJson(metadata.taskKey) };
    const facts = parseFactsJson(metadata.extra);
    await confirmThread(facts, { ports: platform.platform.openThread(summary.key) });
    const { handover } = facts;
    const thread = toRecordedThread(summary.key, platform.platform);
    // The label is that of the run that failed, and so is its authority.
    if (handover !== null) await handovers.keep(thread, { ...handover, since: handover.at });
    const begun = await begin({ summary, platform, retryOf: uuid });
    await controls.remove(uuid, ['retry']);
    if (begun === null) logger.warn({ run: uuid }, 'ignored retry: task is closed or no longer assigned');
    return begun;
  };
}
