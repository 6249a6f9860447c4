import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { listSecretValues, type SecretValues } from '../secrets/index.ts';
import { untilStuck } from '../worker/until-stuck.ts';
import { type Patch, readPathAt } from './parse-patch.ts';
import { type AllowedSecrets, type PatchScan, type PushedSecret, scanPatch, toUnread } from './scan-patch.ts';

/** Looks through what would be pushed. What cannot be looked through is among what it finds. */
export type FindPushedSecrets = (
  patch: Patch,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<readonly PushedSecret[]>;

export interface PatchScannerOptions {
  readonly secrets: SecretValues;
  readonly allow: AllowedSecrets;
  /** Milliseconds for one file; it is given up between one and two of these after its beginning. Default 15,000. */
  readonly deadlineMs?: number | undefined;
  /** A patch of no more bytes is looked through at once, without a worker. Default 16,384. */
  readonly inlineBytes?: number | undefined;
  /** A module that is started with a `PatchScan` and posts what it found. Default: the one that scans. */
  readonly module?: URL | undefined;
  /** Default `AbortSignal.timeout`. */
  readonly timeoutSignal?: ((milliseconds: number) => AbortSignal) | undefined;
}

const memoryLimits = { maxOldGenerationSizeMb: 512 };

/**
 * Makes the function that looks through a patch before it is pushed, in a thread of its own that ends with it. A file that takes too long, or more
 * memory than the thread may have, is reported as not looked through; so is the one where a patch was cut.
 */
export function createPatchScanner(options: PatchScannerOptions): FindPushedSecrets {
  const { allow, inlineBytes = 16_384 } = options;
  return async ({ bytes, isCut }, { signal } = {}) => {
    const progress = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const scan = { bytes, isCut, secrets: listSecretValues(options.secrets), allow, progress };
    return bytes.length <= inlineBytes ? scanPatch(scan) : scanBeside(scan, { ...options, signal });
  };
}

async function scanBeside(
  scan: PatchScan,
  options: PatchScannerOptions & { readonly signal: AbortSignal | undefined },
): Promise<readonly PushedSecret[]> {
  const { module = scanningModule(), signal } = options;
  const execArgv = module.href.endsWith('.ts') ? ['--conditions=@agent/source'] : [];
  const worker = new Worker(module, { workerData: scan, env: {}, execArgv, resourceLimits: memoryLimits });
  const isOver = new AbortController();
  const ends = signal === undefined ? isOver.signal : AbortSignal.any([signal, isOver.signal]);
  try {
    const told = once(worker, 'message', { signal: ends }).then(
      ([found]) => found as readonly PushedSecret[],
    );
    const late = untilLate(scan.progress, { ...options, ends });
    return await Promise.race([told, late]);
  } catch (error) {
    signal?.throwIfAborted();
    const [begun = 0, offset = 0] = scan.progress;
    if (begun === 0)
      throw new Error('The worker that scans for secrets before a push did not start.', { cause: error });
    return [toUnread(readPathAt(scan.bytes, offset), 'could not be scanned for secrets')];
  } finally {
    isOver.abort();
    await worker.terminate();
  }
}

/** Rejects once one file, or the beginning, has taken the whole of a deadline, and when the scan ends. */
async function untilLate(
  progress: Int32Array,
  { deadlineMs = 15_000, timeoutSignal, ends }: PatchScannerOptions & { readonly ends: AbortSignal },
): Promise<never> {
  await untilStuck(progress, { deadlineMs, ends, timeoutSignal });
  throw new Error('Scanning a file for secrets took too long.');
}

/** Lies beside this file, in the sources as in a bundle. */
function scanningModule(): URL {
  const name = import.meta.url.endsWith('.ts') ? './scan-patch-worker.ts' : './scan-patch-worker.js';
  return new URL(name, import.meta.url);
}
