import { passCheckpoint } from './checkpoint.ts';
import type { CheckpointVerdict } from './events.ts';
import type { Run } from './run.ts';

const maxRounds = 5;
const retryAfterMs = 5_000;
const giveUpAfterMs = 60_000;

/**
 * Lets a run end only after a look at the thread that began after its last answer and brought nothing. Where the
 * thread cannot be asked it tries for a minute, then lets the run end.
 * @see decision B21
 */
export async function passFinishBarrier(run: Run): Promise<CheckpointVerdict> {
  const look = run.barrier.rounds < maxRounds;
  for (let waitedMs = 0; ; waitedMs += retryAfterMs) {
    const result = await passCheckpoint(run, { name: 'before_finish', look });
    if (result.verdict === 'delivered') run.barrier.rounds += 1;
    if (result.verdict !== 'go' || result.look !== 'failed') return result.verdict;
    if (waitedMs >= giveUpAfterMs) break;
    await waitUnlessShutDown(run);
  }
  run.logger?.warn({ waitedMs: giveUpAfterMs }, 'ending without a last look at the thread');
  return 'go';
}

async function waitUnlessShutDown({ options, sleep }: Run): Promise<void> {
  const signals = [options.signal, options.hardSignal].filter((signal) => signal !== undefined);
  const signal = AbortSignal.any(signals);
  await sleep(retryAfterMs, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
