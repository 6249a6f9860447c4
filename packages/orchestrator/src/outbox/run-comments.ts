import type { EnsuredComment, WantedComment } from '@agent/platforms';
import type { Run } from '../run/run.ts';
import type { DoIntent } from './do-intent.ts';
import { toCommentIntent } from './intents.ts';

/** A comment that a run writes on its thread while it works. */
export interface RunComment extends Pick<WantedComment, 'topic' | 'body' | 'internal' | 'signal'> {
  /** Null where an earlier run may have written on this topic. Default: only comments since the run began are read. */
  readonly since?: null | undefined;
}

/** Writes comments of a run. Each is an entry of its outbox, so that it is written even if the platform refuses it now. */
export interface RunComments {
  /** Writes one without which the run cannot continue. @throws what `DoIntent` does */
  readonly require: (comment: RunComment) => Promise<Pick<EnsuredComment, 'id'>>;
  /**
   * Writes one for the reader's information. What cannot be written now is logged and stays open until the run pauses or ends.
   *
   * @returns whether it was written now
   */
  readonly post: (comment: RunComment) => Promise<boolean>;
}

/** Creates what writes the comments of one run. */
export function createRunComments(
  run: Pick<Run, 'uuid' | 'outbox' | 'logger'>,
  { writer, doIntent }: Pick<Run['thread']['ports'], 'writer'> & { readonly doIntent: DoIntent },
): RunComments {
  const require = async ({ signal, ...comment }: RunComment) => {
    const intent = toCommentIntent(comment, await run.outbox.list());
    const perform = async () => {
      const { id } = await writer.ensureComment({ ...comment, signal });
      return { id };
    };
    return doIntent(run, { intent, perform });
  };
  return {
    require,
    post: async (comment) => {
      try {
        await require(comment);
        return true;
      } catch (error) {
        run.logger.error({ err: error, topic: comment.topic }, 'failed to post comment');
        return false;
      }
    },
  };
}
