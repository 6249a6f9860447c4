import { z } from 'zod';
import { sleepBySystem, withTimeout } from '../call-limits.ts';
import type { ModelFailure, ModelFailureKind } from '../failures/model-failure.ts';
import type { Sleep } from '../run-options.ts';

/** Codes of a `ModelError`. */
export type ModelErrorCode =
  | 'model-unreachable'
  | 'model-timeout'
  | 'model-status'
  /** The model is loading, overloaded, or limited for a while. */
  | 'model-busy'
  /** The conversation does not fit the model. */
  | 'model-too-long'
  /** An operator has to fix key, account, name or address. */
  | 'model-unusable'
  /** A content filter refused the conversation. */
  | 'model-refused'
  | 'model-unreadable'
  | 'model-text-call'
  | 'model-failed';

const codes: Readonly<Partial<Record<ModelFailureKind, ModelErrorCode>>> = {
  unreachable: 'model-unreachable',
  timeout: 'model-timeout',
  'rate-limited': 'model-busy',
  'not-ready': 'model-busy',
  'context-too-long': 'model-too-long',
  refused: 'model-refused',
  nonsense: 'model-unreadable',
};

/** The code of a failure; `otherwise` for one that no other code names. */
export function toErrorCode({ kind, remedy }: ModelFailure, otherwise: ModelErrorCode): ModelErrorCode {
  return remedy === 'operator' ? 'model-unusable' : (codes[kind] ?? otherwise);
}

const marker = Symbol.for('@agent/runner/ModelError');

/** Why there is no reply of a model. Its message never quotes the conversation. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** The HTTP status, where there was one. */
  readonly status: number | null;
  readonly [marker] = true;

  constructor(
    code: ModelErrorCode,
    message: string,
    { status = null, cause }: { readonly status?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ModelError';
    this.code = code;
    this.status = status;
  }

  /** Recognizes errors of another installed copy of this package too. */
  static isInstance(error: unknown): error is ModelError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}

const codeSchema = z
  .string()
  .regex(/^[\w.-]{1,60}$/)
  .nullish()
  .catch(null);

const errorSchema = z.object({ code: codeSchema, type: codeSchema });

/**
 * The code by which a server names its error, e.g. `model_not_found`, in brackets behind a blank; empty where it names none. What
 * else it says may quote the conversation.
 */
export function formatErrorCode(error: unknown): string {
  const { data } = errorSchema.safeParse(error);
  const code = data?.code ?? data?.type ?? null;
  return code === null ? '' : ` (${code})`;
}

/** Time that a reply may take. */
export interface ReplyTime {
  /** Milliseconds for the whole reply. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Measures it; rejects when its signal aborts. Default the system's timer. */
  readonly sleep?: Sleep | undefined;
}

/**
 * Waits for a reply, and gives it up as soon as its time is over or the caller aborts, whether the work heeds that or not.
 *
 * @throws ModelError `model-timeout`; the signal's reason
 */
export async function replyInTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  {
    timeoutMs = 30_000,
    sleep = sleepBySystem,
    signal,
  }: ReplyTime & { readonly signal?: AbortSignal | undefined },
): Promise<Result> {
  signal?.throwIfAborted();
  const result = await withTimeout(work, { timeoutMs, sleep, signal });
  if (result.kind === 'done') return result.value;
  signal?.throwIfAborted();
  throw new ModelError('model-timeout', `the model did not answer within ${timeoutMs} ms`);
}
