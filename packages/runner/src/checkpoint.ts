import { compressContext } from './compress-context.ts';
import { deliverComments, type LookResult } from './deliver-comments.ts';
import type { CheckpointName, CheckpointVerdict } from './events.ts';
import type { RunSignal } from './ports.ts';
import { isShutDown, type Run } from './run.ts';

export interface CheckpointOptions {
  readonly name: CheckpointName;
  /** False leaves the comments out. Default true. */
  readonly look?: boolean;
}

/**
 * The one place where a run lets itself be steered: a shutdown, then pause, stop, comments, in this order; then
 * the context is made to fit, and the model may be called. Nothing is pending in the conversation here.
 * @see seed 001 §3.3 (order), decision B16
 */
export async function passCheckpoint(
  run: Run,
  { name, look = true }: CheckpointOptions,
): Promise<{ readonly verdict: CheckpointVerdict; readonly look: LookResult }> {
  const result = await ask(run, { name, look });
  run.emit({ type: 'checkpoint', name, verdict: result.verdict });
  return result;
}

async function ask(run: Run, { name, look }: { readonly name: CheckpointName; readonly look: boolean }) {
  if (isShutDown(run)) return { verdict: 'shutdown', look: 'none' } as const;
  const signal = await askSignals(run);
  if (isShutDown(run)) return { verdict: 'shutdown', look: 'none' } as const;
  if (signal !== 'none') return { verdict: signal, look: 'none' } as const;
  const result = look ? await deliverComments(run, name) : 'none';
  // What was said may be a command: it holds before the model is asked again.
  const commanded = result === 'delivered' ? await askSignals(run) : 'none';
  if (commanded !== 'none') return { verdict: commanded, look: result } as const;
  if (name === 'before_iteration') await compressContext(run);
  return { verdict: result === 'delivered' ? 'delivered' : 'go', look: result } as const;
}

async function askSignals({ options, logger }: Run): Promise<RunSignal> {
  try {
    return (await options.signals?.read({ signal: options.hardSignal })) ?? 'none';
  } catch (err) {
    logger?.warn({ err }, 'could not ask for pause and stop; asking again at the next checkpoint');
    return 'none';
  }
}
