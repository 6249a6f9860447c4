import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Tinypool } from 'tinypool';
import { checkOptions, type Expectation, expected, expectNumber } from '../check-options.ts';
import { type CleanedText, type CleanOptions, cleanExpectations } from '../clean/clean-untrusted-text.ts';
import { untilStuck } from './until-stuck.ts';

/** Cleans texts of strangers beside the main thread, so that none of them can hold it. */
export interface TextWorker {
  /**
   * Cleans a text as `cleanUntrustedText` does. What is asked in one tick goes in one message.
   *
   * @returns null where the time was up; the same text is not tried again
   * @throws Error when the worker cannot be started
   */
  readonly clean: (text: string, options?: CleanOptions) => Promise<CleanedText | null>;
  /** Ends the worker; a later text starts it anew. */
  readonly close: () => Promise<void>;
}

/** Texts on their way to the worker. */
export interface TextBatch {
  readonly texts: readonly { readonly text: string; readonly maxChars: number | undefined }[];
  /** One number: how many of them the worker has begun. */
  readonly begun: Int32Array<SharedArrayBuffer>;
}

/** Options of `createTextWorker`. */
export interface TextWorkerOptions {
  /** Milliseconds for one text; it is given up between one and two of these after its beginning. Default 2,000. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for the worker to start. Default 30,000. */
  readonly startMs?: number | undefined;
  /** Milliseconds after which a worker without work is ended, and its memory given back. Default 10,000. */
  readonly idleMs?: number | undefined;
  /** Texts that have no more than so many characters together are cleaned at once, without the worker. Default 512. */
  readonly inlineChars?: number | undefined;
  /** A module whose default export takes a `TextBatch`. Default: the one that cleans. */
  readonly module?: URL | undefined;
  /** Default `AbortSignal.timeout`. */
  readonly timeoutSignal?: ((milliseconds: number) => AbortSignal) | undefined;
}

const expectedUrl: Expectation = { isMet: (value) => value instanceof URL, text: 'a URL' };

const expectations = {
  deadlineMs: expectNumber(1),
  startMs: expectNumber(1),
  idleMs: expectNumber(0),
  inlineChars: expectNumber(0),
  module: expectedUrl,
  timeoutSignal: expected.function,
} as const satisfies Record<keyof TextWorkerOptions, Expectation>;

interface WaitingText {
  readonly text: string;
  readonly maxChars: number | undefined;
  readonly resolve: (cleaned: CleanedText | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The size of one message: what is copied to the worker at once stays within milliseconds. */
const maxBatchChars = 1_048_576;
/** Texts that took too long and are remembered. */
const maxGivenUp = 10_000;
/** Memory of a batch is free after it: a larger young generation would only hold more garbage. */
const memoryLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 4 };

/**
 * Makes a worker that starts with the first text that needs it. A text that takes too long, or more memory than the
 * worker may have, ends with the worker, which is replaced; the others of its batch are cleaned all the same.
 *
 * @example
 * const worker = createTextWorker();
 * const cleaned = await worker.clean('a<!-- b -->c'); // null when it takes longer than two seconds
 * await worker.close();
 */
export function createTextWorker(options: TextWorkerOptions = {}): TextWorker {
  checkOptions('TextWorkerOptions', options, expectations);
  const { inlineChars = 512 } = options;
  const givenUp = new Set<string>();
  const waiting: WaitingText[] = [];
  const pool = openPool(options);
  let working: Promise<void> | null = null;
  const cleanBatch = async (batch: readonly WaitingText[]): Promise<void> => {
    if (countChars(batch) <= inlineChars) return cleanInline(batch);
    let left = batch;
    while (left.length > 0) {
      const answer = await pool.run(left);
      if ('cleaned' in answer) {
        for (const [index, { text, resolve }] of left.entries())
          resolve(withSharedText(answer.cleaned[index] ?? null, text));
        return;
      }
      const { stuck } = answer;
      remember(givenUp, hashOf(stuck.text));
      stuck.resolve(null);
      left = left.filter((one) => one !== stuck);
    }
  };
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      await cleanBatch(batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
    working = null;
  };
  return {
    clean: async (text, cleaning = {}) => {
      checkOptions('CleanOptions', cleaning, cleanExpectations);
      const { maxChars } = cleaning;
      if (givenUp.size > 0 && givenUp.has(hashOf(text))) return null;
      return new Promise((resolve, reject) => {
        waiting.push({ text, maxChars, resolve, reject });
        working ??= Promise.resolve().then(work);
      });
    },
    close: async () => {
      await working;
      await pool.close();
    },
  };
}

/** Drops the worker's copy of a text from which nothing was removed: the caller holds the text already. */
function withSharedText(cleaned: CleanedText | null, text: string): CleanedText | null {
  return cleaned?.text === text ? { ...cleaned, text } : cleaned;
}

type PoolAnswer =
  | { readonly cleaned: readonly CleanedText[] }
  /** The text that did not end. */
  | { readonly stuck: WaitingText };

function openPool(options: TextWorkerOptions) {
  const { deadlineMs = 2_000, startMs = 30_000, idleMs = 10_000 } = options;
  const { module = cleaningModule(), timeoutSignal } = options;
  let opening: Promise<Tinypool> | null = null;
  const open = async (): Promise<Tinypool> => {
    const { Tinypool: Pool } = await import('tinypool');
    const pool = new Pool({
      filename: module.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits: memoryLimits,
      env: {},
      execArgv: module.href.endsWith('.ts') ? ['--conditions=@agent/source'] : [],
    });
    // An error event that nobody hears ends the process.
    return pool.on('error', () => {});
  };
  const close = async (): Promise<void> => {
    const pool = opening;
    opening = null;
    await (await pool)?.destroy();
  };
  return {
    run: async (texts: readonly WaitingText[]): Promise<PoolAnswer> => {
      opening ??= open();
      const pool = await opening;
      const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const isOver = new AbortController();
      // What is wrong with a worker that has no task yet is told by an event alone.
      const failure = once(pool, 'error', { signal: isOver.signal }).then(([error]) => Promise.reject(error));
      const isStuck = new AbortController();
      const batch: TextBatch = { texts: texts.map(({ text, maxChars }) => ({ text, maxChars })), begun };
      const watching = untilStuck(begun, { deadlineMs, startMs, timeoutSignal, ends: isOver.signal });
      const stopping = watching.then((stuck) => (stuck ? isStuck.abort() : undefined));
      try {
        return { cleaned: await Promise.race([pool.run(batch, { signal: isStuck.signal }), failure]) };
      } catch (error) {
        const stuck = texts[Atomics.load(begun, 0) - 1];
        if (stuck !== undefined) return { stuck };
        await close();
        throw new Error('The worker that cleans texts did not start.', { cause: error });
      } finally {
        isOver.abort();
        await stopping;
      }
    },
    close,
  };
}

/** A turn of the event loop lies between two of these: many short texts do not hold it either. */
async function cleanInline(batch: readonly WaitingText[]): Promise<void> {
  await setImmediate();
  const { cleanUntrustedText } = await import('../clean/clean-untrusted-text.ts');
  for (const { text, maxChars, resolve } of batch) resolve(cleanUntrustedText(text, { maxChars }));
}

function takeBatch(waiting: WaitingText[]): readonly WaitingText[] {
  let chars = 0;
  const end = waiting.findIndex(({ text }, index) => {
    chars += text.length;
    return index > 0 && chars > maxBatchChars;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

function countChars(batch: readonly WaitingText[]): number {
  return batch.reduce((sum, { text }) => sum + text.length, 0);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function remember(hashes: Set<string>, hash: string): void {
  const [oldest] = hashes;
  if (hashes.size >= maxGivenUp && oldest !== undefined) hashes.delete(oldest);
  hashes.add(hash);
}

/** Lies beside this file, in the sources as in a bundle. */
function cleaningModule(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './clean-texts.ts' : './clean-texts.js', import.meta.url);
}
