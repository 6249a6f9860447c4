import type { CommentWriter } from '@agent/platforms';
import type { DoIntent } from '../intents/do-intent.ts';
import type { IntentRun } from '../intents/give-up.ts';
import { toCommentIntent } from '../intents/intents.ts';
import type { RunComment, RunComments } from './run-thread.ts';

/** Creates what writes the comments of one run. */
export function createRunComments(
  run: IntentRun,
  { writer, doIntent }: { readonly writer: CommentWriter; readonly doIntent: DoIntent },
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
