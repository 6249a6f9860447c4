import type { CallOptions } from '@agent/platforms';
import { CommentDetectionError, type FailureListener, heedFailure } from './comment-detection-error.ts';
import type { CommentDetectionManager } from './comment-detection-manager.ts';

/** Held weakly: a stream that no one reads blocks its manager until it is garbage. */
const running = new WeakMap<CommentDetectionManager, WeakRef<RunningCall>>();

/**
 * A call of an agent that receives the comments of a manager. There is one at a time for each manager: two would both receive each
 * comment.
 */
export class RunningCall {
  readonly #signal: AbortSignal | undefined;
  #hasEnded = false;

  private constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** An aborted call is over. @throws TypeError while an earlier call with this manager runs */
  static begin(manager: CommentDetectionManager, { signal }: CallOptions = {}): RunningCall {
    const earlier = running.get(manager)?.deref();
    if (earlier !== undefined && !earlier.isOver)
      throw new TypeError(
        'Another call with this CommentDetectionManager is running, and both would receive its comments. Await the end of that call, read its stream to the end, or abort it. For calls at the same time, create a manager for each.',
      );
    const call = new RunningCall(signal);
    running.set(manager, new WeakRef(call));
    return call;
  }

  get isOver(): boolean {
    return this.#hasEnded || this.#signal?.aborted === true;
  }

  end(): void {
    this.#hasEnded = true;
  }
}

/** Reports the comments that a call leaves undelivered at its end. */
export function reportUndelivered(
  manager: CommentDetectionManager,
  { reason, onError }: { readonly reason: string; readonly onError: FailureListener | undefined },
): void {
  const left = manager.listUndelivered();
  if (left.length === 0) return;
  const untrusted = left.filter(({ authority }) => authority === 'untrusted').length;
  const comments = left.length === 1 ? '1 comment' : `${left.length} comments`;
  const whose = untrusted === 0 ? '' : ` (${untrusted} by untrusted users)`;
  const message = `The call ended with ${comments} undelivered${whose}. ${reason} The next call delivers them, and manager.listUndelivered() lists them.`;
  heedFailure(new CommentDetectionError(message, { code: 'undelivered', isPermanent: false }), onError);
}
