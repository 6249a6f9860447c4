import { isObservedPoll } from '@agent/comment-detection';
import type { RunState } from '@agent/run-store';
import { defineTool, type RunTool, ToolError } from '@agent/workspace';
import { z } from 'zod';
import type { Run } from '../run/run.ts';
import { readHearing } from '../thread/detection-record.ts';

/** Answer that the model gave to one review thread, to be written there once its round is delivered. */
export interface GivenAnswer {
  /** Id of the last word in the thread that it answers. */
  readonly to: string;
  readonly text: string;
  /** True where the model takes the thread for settled; null where it did not say. */
  readonly resolved: boolean | null;
}

const answersName = 'review-answers.json';

const answersSchema = z.record(
  z.string(),
  z.object({ to: z.string(), text: z.string(), resolved: z.boolean().nullable() }),
);

/** Longest answer to a thread, in characters. */
const maxAnswerChars = 4_000;

/** Reads the answers of the model, by the ids of their threads. */
export async function readGivenAnswers(
  state: Pick<RunState, 'read'>,
): Promise<ReadonlyMap<string, GivenAnswer>> {
  const value = await state.read(answersName);
  return new Map(value === null ? [] : Object.entries(answersSchema.parse(value)));
}

/**
 * Creates the tool by which the model answers review threads one by one. It only keeps the answers: they are written when what they
 * speak of is pushed.
 */
export function createReviewAnswerTool(run: Pick<Run, 'state' | 'journal'>): RunTool {
  return defineTool({
    description:
      'Answers one review thread. A thread without such an answer gets your final answer. Use the name of the review thread as given in its comments. The answer is posted when your changes are pushed. A later call for the same thread replaces it. Set "resolved" to true if the thread is resolved: it is closed only if a user asked for that or you opened it.',
    input: z.object({
      review_thread: z.string().min(1).max(200),
      text: z.string().trim().min(1).max(maxAnswerChars),
      resolved: z.boolean().optional(),
    }),
    readOnly: false,
    run: async ({ review_thread: thread, text, resolved = null }) => {
      const told = await listToldThreads(run);
      const to = told.get(thread);
      if (to === undefined) throw new ToolError(describeUnknown(thread, [...told.keys()]));
      const answers = await readGivenAnswers(run.state);
      await run.state.write(answersName, {
        ...Object.fromEntries(answers),
        [thread]: { to, text, resolved },
      });
      return `Saved. It will be posted in review thread ${thread} when your changes are pushed.`;
    },
  });
}

function describeUnknown(thread: string, known: readonly string[]): string {
  const hint =
    known.length === 0 ? 'You have received none.' : `You have received: ${known.slice(-20).join(', ')}.`;
  return `You have not received a review thread ${JSON.stringify(thread)}. ${hint}`;
}

/** Lists the review threads that the model was told of, each with the last word that it was told. */
async function listToldThreads({ journal }: Pick<Run, 'journal'>): Promise<ReadonlyMap<string, string>> {
  const threads = new Map<string, string>();
  const told = new Map<string, string>();
  for (const event of await readHearing(journal.read(), { hasBodies: false })) {
    if (isObservedPoll(event))
      for (const { id, subject } of event.observations)
        if (subject?.kind === 'line') threads.set(id, subject.reviewThread);
    if (isObservedPoll(event)) continue;
    for (const { id, kind } of event.delivers) {
      const thread = threads.get(id);
      if (thread !== undefined && kind !== 'deleted') told.set(thread, id);
    }
  }
  return told;
}
