import type { PausedRun, RestingRuns } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { isOfRest } from '../outbox/intents.ts';
import type { SettleRun } from '../outbox/settle-run.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import type { MakeRun, RunParts } from './activate.ts';
import { nameRun } from './run-facts.ts';
import type { ConfiguredPlatform } from './run-thread.ts';

export interface ShowPauseOptions {
  readonly store: Pick<RestingRuns<ModelMessage>, 'openOutbox' | 'openState'>;
  readonly makeRun: MakeRun;
  readonly settle: SettleRun;
  readonly unsettled: Pick<UnsettledRuns, 'keep'>;
}

/** A run that waits. */
export interface RestingRun {
  readonly paused: Pick<PausedRun, 'uuid' | 'metadata'>;
  readonly platform: ConfiguredPlatform;
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

/** Tells whether something of a run that waits is open. */
export async function hasOpen(
  { openOutbox }: Pick<RestingRuns<unknown>, 'openOutbox'>,
  uuid: string,
): Promise<boolean> {
  return (await openOutbox(uuid).list()).some(({ id, state }) => state === 'open' && isOfRest(id));
}

/** The record of a run that waits, without its conversation, which nobody writes meanwhile. */
function toRestingParts(
  store: ShowPauseOptions['store'],
  { uuid, metadata }: RestingRun['paused'],
): RunParts {
  const refuse = async (): Promise<never> => {
    throw new Error(`Run ${uuid} waits, and its conversation with it. Resume it first.`);
  };
  return {
    metadata,
    journal: { append: refuse, replaceContext: refuse, finish: refuse, read: refuseToRead(refuse) },
    outbox: store.openOutbox(uuid),
    state: store.openState(uuid),
    damage: null,
    // Entries of a pause carry their own.
    position: () => ({ line: 0, check: '' }),
  };
}

function refuseToRead(refuse: () => Promise<never>): RunParts['journal']['read'] {
  return async function* () {
    yield await refuse();
  };
}
