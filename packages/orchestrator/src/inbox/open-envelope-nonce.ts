import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLogger } from '../ports.ts';
import { replaceFile } from '../replace-file.ts';

/** In the directory of a run. */
export const envelopeNonceFile = 'envelope_nonce';

export interface EnvelopeNonceOptions {
  readonly logger: RunLogger;
  /** Draws a new one. Default: a random UUID. */
  readonly draw?: (() => string) | undefined;
}

/**
 * What marks the envelopes of a run: drawn when first asked for and kept in the run's directory, so that a run that
 * goes on uses the same. Where it cannot be kept, an envelope of the next process has another, which costs nothing
 * but the link to what the system prompt says.
 */
export async function openEnvelopeNonce(directory: string, options: EnvelopeNonceOptions): Promise<string> {
  const { logger, draw = randomUUID } = options;
  const path = join(directory, envelopeNonceFile);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (/^[A-Za-z0-9-]{16,128}\n$/.test(kept)) return kept.trimEnd();
  const nonce = draw();
  try {
    await replaceFile(path, `${nonce}\n`);
  } catch (error) {
    logger.warn({ err: error }, 'the nonce of the envelopes was not kept');
  }
  return nonce;
}
