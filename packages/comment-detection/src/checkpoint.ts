import { findOtherVersion } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { CommentDetectionManager } from './comment-detection-manager.ts';
import type { CommentDetectionState } from './detection-state.ts';

/** Conversation and state of its manager, as JSON, which agree on what the model was told. */
export interface Checkpoint {
  readonly version: 1;
  readonly messages: readonly ModelMessage[];
  readonly comments: CommentDetectionState;
}

/**
 * Takes both in one piece, between two steps: nothing that the state calls delivered is missing in the messages, and nothing that they
 * hold is undelivered. Written in one write (a row, or a file that is renamed), a crash at any moment loses nothing and repeats nothing.
 *
 * @example
 * await writeFile('run.json.tmp', JSON.stringify(takeCheckpoint(manager, messages)));
 * await rename('run.json.tmp', 'run.json');
 */
export function takeCheckpoint(
  manager: CommentDetectionManager,
  messages: readonly ModelMessage[],
): Checkpoint {
  return { version: 1, messages: [...messages], comments: manager.toState() };
}

/**
 * Gives a new manager the memory of a checkpoint, and its messages back for the next call.
 *
 * @throws TypeError where it is none
 * @example
 * const messages = resumeFrom(JSON.parse(await readFile('run.json', 'utf8')), manager);
 * await withComments(agent, manager).generate({ messages });
 */
export function resumeFrom(checkpoint: Checkpoint, manager: CommentDetectionManager): ModelMessage[] {
  const refusal = findOtherVersion(checkpoint, { version: 1, place: 'The checkpoint of withComments' });
  if (refusal !== null) throw new TypeError(refusal);
  if (!Array.isArray(checkpoint.messages))
    throw new TypeError('This is not a checkpoint of withComments: it has no messages.');
  manager.restore(checkpoint.comments, []);
  return [...checkpoint.messages];
}
