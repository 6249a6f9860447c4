import { CommentDetectionError } from './comment-detection-error.ts';
import { isOutage } from './is-outage.ts';

/** Answer to an error: `fail` the call with it, or go on without what could not be heard. */
export type FailureAnswer = 'fail' | 'go-on' | undefined;

/**
 * Told of everything that keeps comments from being heard. Without it, and where it answers nothing, an error that
 * waiting cannot fix fails the call, an outage is waited for, and what else is lost is told on `console.warn`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback that only logs answers nothing
export type FailureListener = (error: CommentDetectionError) => FailureAnswer | void;

/** Throws where the call has to fail. */
export function heedFailure(error: CommentDetectionError, onError: FailureListener | undefined): void {
  const answer = onError?.(error) ?? undefined;
  if (answer === 'fail') throw error;
  if (answer !== undefined) return;
  if (error.code === 'look-failed' && error.isPermanent) throw error;
  if (error.code !== 'look-failed' && onError === undefined) console.warn(error.message);
}

/** Reads the result of a look for a failure. */
export function heedPoll(
  { status, error: cause }: { readonly status: string; readonly error?: unknown },
  onError: FailureListener | undefined,
): void {
  if (status !== 'failed') return;
  const isPermanent = !isOutage(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = isPermanent
    ? ' Waiting does not help: fix the source or its token. An outage is an error with `retryAfterMs`, with `code: "unavailable"` or of the network; `onError` may answer "go-on".'
    : '';
  const message = `The thread's comments could not be read: ${reason}.${advice}`;
  heedFailure(new CommentDetectionError(message, { code: 'look-failed', isPermanent, cause }), onError);
}
