import { type HeldRecord, listOpen, readHeld, writeHeld } from '../held/held-record.ts';
import { heldTexts } from '../held/texts.ts';
import { isDone } from '../outcome/outcome.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Run } from '../run/run.ts';
import type { Attempted } from '../run/run-ending.ts';

export interface WaitForPermissionOptions {
  readonly composeFinalComment: ComposeFinalComment;
  /** Milliseconds after which a run that waits is not resumed any more. */
  readonly longestMs: number;
  readonly now: () => number;
}

/** Turns the end of a run that has held changes into a wait for a person, for at most 30 days. Other ends stay as they are. */
export type WaitForPermission = (run: Run, attempted: Attempted) => Promise<Attempted>;

const heldMs = 30 * 86_400_000;

/** Creates it. */
export function createWaitForPermission({
  composeFinalComment,
  longestMs,
  now,
}: WaitForPermissionOptions): WaitForPermission {
  return async (run, attempted) => {
    if (attempted.kind !== 'ended') return attempted;
    const { ending } = attempted;
    const record = await readHeld(run.state);
    const open = listOpen(record);
    // A run that changed nothing but held files counts as failed so far.
    if (open.length === 0 || ending.outcome.status === 'stopped') return attempted;
    const until = record.until ?? new Date(now() + Math.min(heldMs, longestMs)).toISOString();
    if (now() >= Date.parse(until))
      return { ...attempted, ending: { ...ending, outcome: toExpired(run, ending) } };
    const waiting: HeldRecord = { ...record, until };
    await writeHeld(run.state, waiting);
    const id = `held:${open.map(({ number }) => number).join(',')}`;
    const waitsFor = { kind: 'held', id, until } as const;
    const outcome = {
      ...ending.outcome,
      status: 'needs_input',
      reason: null,
      errorClass: null,
      waitsFor,
    } as const;
    const comment = await composeFinalComment(run, { ...ending, outcome, stopCause: null });
    await writeHeld(run.state, { ...waiting, comment });
    run.logger.info({ items: open.length, until }, 'waiting for permission to push held changes');
    return { ...attempted, ending: { ...ending, outcome } };
  };
}

type Ending = Extract<Attempted, { readonly kind: 'ended' }>['ending'];

function toExpired({ facts }: Pick<Run, 'facts'>, { outcome, delivery }: Ending): Ending['outcome'] {
  const isPushed = isDone(outcome.status) && delivery.commit !== null;
  const reason = heldTexts[facts.locale].expired;
  return { ...outcome, status: isPushed ? 'partial' : 'failed', reason, errorClass: 'held_changes' };
}
