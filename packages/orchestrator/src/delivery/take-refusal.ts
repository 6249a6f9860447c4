import { toErrorMessage } from '@agent/text';
import { readHeld, withdrawAllowed } from '../held/held-record.ts';
import { OpenIntentError } from '../intents/call-with-retry.ts';
import { giveUp } from '../intents/give-up.ts';
import type { Run } from '../run/run.ts';

/**
 * Takes note that the server refused a push with changes which people had allowed: they are held again, with the reason, and nothing
 * is retried until a person acts.
 *
 * @returns false for another error, and if nothing in the push was allowed by a person
 */
export async function takeRefusal(run: Run, error: unknown): Promise<boolean> {
  const cause: unknown = error instanceof OpenIntentError ? error.cause : error;
  if ((cause as { readonly code?: unknown } | null)?.code !== 'forbidden') return false;
  const { items, paths } = await readHeld(run.state);
  if (paths.length === 0 && !items.some(({ state }) => state === 'allowed')) return false;
  const reason = toErrorMessage(cause);
  run.logger.warn({ err: cause }, 'failed to push allowed changes; holding them again');
  for (const entry of await run.outbox.list())
    if (entry.kind === 'push' && entry.state === 'open')
      await giveUp(run, entry, { by: 'the server', reason });
  await withdrawAllowed(run.state, reason);
  return true;
}
