import type { DeliveryReceipt, CommentSource as DetectedSource } from '@agent/comment-detection';
import type { CommentSource, Comment as PlatformComment, Thread } from '@agent/platforms';
import type { RunJournal as StoredRunJournal } from '@agent/run-store';
import type { CommentReceipt, RunJournal } from '@agent/runner';
import type { CommentInput, IssueInput } from '@agent/thread-context';
import type { ModelMessage } from 'ai';
import { describe, expectTypeOf, it } from 'vitest';

/** The packages do not know each other: that their ports fit is what this application relies on. */
describe('the parts', () => {
  it('fit: what platforms list is what comment detection looks at', () => {
    expectTypeOf<CommentSource>().toExtend<DetectedSource>();
  });

  it('fit: what a delivery brings is what the runner journals', () => {
    expectTypeOf<DeliveryReceipt>().toExtend<CommentReceipt>();
  });

  it('fit: the journal of a run store is the journal that the runner writes', () => {
    expectTypeOf<StoredRunJournal<ModelMessage>>().toExtend<RunJournal>();
  });

  it('fit: a thread and its comments are what the first message is made of', () => {
    expectTypeOf<Thread>().toExtend<IssueInput>();
    expectTypeOf<PlatformComment>().toExtend<CommentInput>();
  });
});
