import { CommentDetectionManager } from '@agent/comment-detection';
import { type Checkpoint, resumeFrom, withComments } from '@agent/comment-detection/ai-sdk';
import { createCommentSource } from '@agent/comment-detection/sources';
import type { Octokit } from '@octokit/rest';
import { generateText, isStepCount, type LanguageModel, type ModelMessage, tool } from 'ai';
import { z } from 'zod';

/** Surroundings of the agent. */
export interface Surroundings {
  readonly octokit: Octokit;
  readonly thread: { readonly owner: string; readonly repo: string; readonly number: number };
  readonly model: LanguageModel;
  /** The tool of the agent. */
  readonly runTests: () => Promise<string>;
  /** Milliseconds of a clock that never goes back, for plays. Default the real one. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Keeps a checkpoint in one write, such as a row of a database. */
  readonly keep: (checkpoint: Checkpoint) => Promise<void>;
}

/** Works on the task, or goes on from a checkpoint; gives the whole conversation. */
export async function fixExport(
  task: string,
  {
    octokit,
    thread,
    model,
    runTests,
    keep,
    monotonicNow,
    from = null,
  }: Surroundings & { readonly from?: Checkpoint | null },
): Promise<readonly ModelMessage[]> {
  const manager = new CommentDetectionManager(createCommentSource(octokit, thread), {
    monotonicNow,
  });
  const messages: ModelMessage[] =
    from === null ? [{ role: 'user', content: task }] : resumeFrom(from, manager);
  let kept: readonly ModelMessage[] = messages;
  const onCheckpoint = async (checkpoint: Checkpoint) => {
    await keep(checkpoint);
    kept = checkpoint.messages;
  };
  await withComments(generateText, manager, { onCheckpoint })({
    model,
    messages,
    tools: { run_tests: tool({ inputSchema: z.object({}), execute: runTests }) },
    stopWhen: isStepCount(20),
  });
  return kept;
}
