import { randomUUID } from 'node:crypto';
import type { RunState } from '@agent/run-store';
import type { RunLogger } from '../ports.ts';

/** In the state of a run. */
export const envelopeNonceName = 'envelope_nonce';

export interface EnvelopeNonceOptions {
  readonly logger: RunLogger;
  /** Draws a new one. Default: a random UUID. */
  readonly draw?: (() => string) | undefined;
}

/**
 * What marks the envelopes of a run: drawn when first asked for and kept in the run's state, so that a run that
 * goes on uses the same. Where it cannot be kept, an envelope of the next process has another, which costs nothing
 * but the link to what the system prompt says.
 */
export async function openEnvelopeNonce(state: RunState, options: EnvelopeNonceOptions): Promise<string> {
  const { logger, draw = randomUUID } = options;
  const kept = await state.read(envelopeNonceName).catch(() => null);
  if (typeof kept === 'string' && /^[A-Za-z0-9-]{16,128}\n$/.test(kept)) return kept.trimEnd();
  const nonce = draw();
  try {
    await state.write(envelopeNonceName, `${nonce}\n`);
  } catch (error) {
    logger.warn({ err: error }, 'the nonce of the envelopes was not kept');
  }
  return nonce;
}
