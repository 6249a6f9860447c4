import type { RestingRuns } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { ReadRun } from '../conversation/open-conversation.ts';
import { isOfRest } from '../intents/intents.ts';
import type { RestingRun } from '../listening/paused-listener.ts';
import type { SettleRun } from '../outbox/settle-run.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { nameRun } from '../run/run-facts.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { MakeRun, RunParts } from './activate.ts';

export interface ShowPauseOptions {
  readonly store: Pick<RestingRuns<ModelMessage>, 'openOutbox' | 'openState'>;
  readonly makeRun: MakeRun;
  readonly settle: SettleRun;
  readonly unsettled: Pick<UnsettledRuns, 'keep'>;
}

/**
 * Has shown what of a run that waits is not shown yet: its pause, the answers to commands that it heard. It is tried at once, though not waited
 * for, and again with growing pauses until the run goes on.
 */
export type ShowPause = (run: RestingRun) => Promise<void>;

/** Creates it. */
export function createShowPause({ store, makeRun, settle, unsettled }: ShowPauseOptions): ShowPause {
  return async ({ paused, platform }) => {
    const { uuid } = paused;
    if (!(await hasOpen(store, uuid))) return;
    const { run } = makeRun(toRestingParts(store, paused), { platform });
    run.thread.comments.close();
    const name = nameRun(run.facts, platform.platform);
    unsettled.keep({ uuid, name, open: [], again: () => settle(run, isOfRest) });
  };
}

/** Shows what becomes of runs that nobody carries. */
export interface ShowResting {
  readonly showPause: ShowPause;
  readonly correctLeft: CorrectLeftRun;
}

/** Creates it. */
export function createShowResting(options: ShowPauseOptions & CorrectLeftOptions): ShowResting {
  return { showPause: createShowPause(options), correctLeft: createCorrectLeftRun(options) };
}

/** Tells whether something of a run that waits is open. */
export async function hasOpen(
  { openOutbox }: Pick<RestingRuns<unknown>, 'openOutbox'>,
  uuid: string,
): Promise<boolean> {
  return (await openOutbox(uuid).list()).some(({ id, state }) => state === 'open' && isOfRest(id));
}

/** A run that nobody carries, though it has begun and not ended. */
export type CorrectLeftRun = (uuid: string, platforms: readonly ConfiguredPlatform[]) => Promise<void>;

interface CorrectLeftOptions extends Pick<ShowPauseOptions, 'makeRun'> {
  readonly readRun: ReadRun;
  readonly shutdown: AbortSignal;
}

/**
 * Creates what says on the thread of such a run that it is at work no more. Nothing is written to its record, so that whoever takes it up
 * meanwhile keeps it, and says so.
 */
function createCorrectLeftRun({ readRun, makeRun, shutdown: signal }: CorrectLeftOptions): CorrectLeftRun {
  return async (uuid, platforms) => {
    const { metadata, place, outcome, state, history } = await readRun(uuid);
    const platform = platforms.find((one) => one.platform.host === metadata.host);
    if (place !== 'running' || outcome !== null || platform === undefined) return;
    const outbox = { open: refuseToWrite, settle: refuseToWrite, list: async () => [] };
    const journal = { ...restingJournal, read: () => withoutTools(history()) };
    const kept = { read: state.read, write: refuseToWrite };
    const { run } = makeRun({ metadata, journal, outbox, state: kept, damage: null, position }, { platform });
    run.thread.comments.close();
    await run.claim.correct({ signal });
  };
}

async function* withoutTools(
  history: ReturnType<Awaited<ReturnType<ReadRun>>['history']>,
): ReturnType<RunParts['journal']['read']> {
  for await (const entry of history) if (entry.type !== 'tool') yield entry;
}

/** The record of a run that waits, without its conversation, which nobody writes meanwhile. */
function toRestingParts(
  store: ShowPauseOptions['store'],
  { uuid, metadata }: RestingRun['paused'],
): RunParts {
  return {
    metadata,
    journal: restingJournal,
    outbox: store.openOutbox(uuid),
    state: store.openState(uuid),
    damage: null,
    position,
  };
}

/** Entries of a pause carry their own. */
const position = () => ({ line: 0, check: '' });

async function refuseToWrite(): Promise<never> {
  throw new Error('This run is waiting. Resume it first.');
}

const restingJournal: RunParts['journal'] = {
  append: refuseToWrite,
  replaceContext: refuseToWrite,
  finish: refuseToWrite,
  read: async function* () {
    yield await refuseToWrite();
  },
};
