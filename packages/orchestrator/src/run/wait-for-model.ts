import { performance } from 'node:perf_hooks';
import { awaitModel, type ModelAvailability } from '@agent/runner';
import type { Waiting } from './call-with-retry.ts';
import type { Run } from './run.ts';
import { runTexts } from './texts.ts';
import type { ModelWatch } from './watch-model.ts';

/** Milliseconds that a model may be away before the thread hears of it. */
const quietMs = 600_000;

/** Wait of one run for its model. */
export interface ModelWait {
  readonly availability: ModelAvailability;
  /** Takes back what was said of the wait, where it is over. Never rejects. */
  readonly settle: () => Promise<void>;
}

export interface WaitForModelOptions extends Pick<Waiting, 'sleep'> {
  readonly watch: Pick<ModelWatch, 'circuit' | 'maxOutageMs'>;
}

type WaitingRun = Pick<Run, 'uuid' | 'state' | 'facts' | 'thread' | 'logger'>;

/**
 * Lets a run wait while its model is away, and tells the thread so, once, after ten minutes; when the model is back
 * the same comment says that. A wait that goes on after a restart is told in the same comment, too.
 */
export function waitForModel(
  { watch: { circuit, maxOutageMs }, sleep }: WaitForModelOptions,
  run: WaitingRun,
  now: () => number = () => performance.now(),
): ModelWait {
  const texts = runTexts[run.facts.locale];
  const waiting = awaitModel(circuit, {
    maxOutageMs,
    now,
    sleep: (milliseconds, { signal }) => sleep(milliseconds, signal ?? new AbortController().signal),
  });
  const said = rememberSaid(run);
  const settle = async (): Promise<void> => {
    if (circuit.state.status === 'open' || !(await said.isWaiting())) return;
    if (await tell(run, texts.modelIsBack)) await said.set(false);
  };
  return {
    settle,
    availability: {
      ...waiting,
      admit: async (options) => {
        const { since } = circuit.state;
        if (since === null) await settle();
        else if (now() - since >= quietMs && !(await said.isWaiting())) {
          if (await tell(run, texts.modelIsAway)) await said.set(true);
        }
        return waiting.admit(options);
      },
    },
  };
}

async function tell(
  { uuid, thread, logger }: Pick<WaitingRun, 'uuid' | 'thread' | 'logger'>,
  body: string,
): Promise<boolean> {
  try {
    await thread.ports.writer.ensureComment({ topic: `run:${uuid}:model`, body });
    return true;
  } catch (error) {
    logger.error({ err: error }, 'the thread could not be told that the model is away');
    return false;
  }
}

/** Remembers whether the thread reads that the run waits, over restarts. */
function rememberSaid({ state, logger }: Pick<WaitingRun, 'state' | 'logger'>) {
  const name = 'waits_for_model';
  let isWaiting: boolean | null = null;
  return {
    isWaiting: async () => {
      isWaiting ??= await state.read(name).then(
        (kept) => kept !== null,
        () => false,
      );
      return isWaiting;
    },
    set: async (waits: boolean) => {
      isWaiting = waits;
      await state
        .write(name, waits ? '' : null, { sync: false })
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'what the thread was told of the model could not be kept'),
        );
    },
  };
}
