import { AgentFailure, type Executor } from '../../src/executors/index.ts';
import type { CommentInbox, MemoryRunJournal } from '../../src/index.ts';

/** Polls of a thread, by which the time of a course passes. */
export interface Clock {
  polls: number;
  /** Hears of each poll. */
  readonly onPoll?: ((polls: number) => void) | undefined;
}

/** Text of the comment with this index. */
export const toComment = (index: number): string => `comment <${index}>`;

function pass(clock: Clock, polls = 1): void {
  clock.polls += polls;
  clock.onPoll?.(clock.polls);
}

function isDue(
  comments: readonly number[],
  { index, clock }: { readonly index: number; readonly clock: Clock },
): boolean {
  const at = [...comments].sort((a, b) => a - b)[index];
  return at !== undefined && at <= clock.polls;
}

/** An inbox whose comments come at polls; what the journal has was delivered. */
export function createTimedInbox(
  comments: readonly number[],
  { journal, clock }: { readonly journal: MemoryRunJournal; readonly clock: Clock },
): CommentInbox {
  return {
    takeDelivery: async ({ barrier }) => {
      pass(clock, barrier ? 10 : 1);
      const delivered = journal.entries.flatMap((entry) =>
        entry.type === 'message' ? (entry.delivers ?? []) : [],
      ).length;
      if (!isDue(comments, { index: delivered, clock })) return { status: 'checked', delivery: null };
      const receipt = { delivers: [{ id: String(delivered), revision: '1', kind: 'added' as const }] };
      return {
        status: 'checked',
        delivery: { text: toComment(delivered), receipt, hasMore: true, hasCommands: false },
      };
    },
    markDelivered: () => undefined,
  };
}

/** Has an agent work the bare way: what it says that it has counts as told. @returns false where it ended too often */
export async function playBareAdapter(
  executor: Executor,
  {
    comments,
    clock,
    maxStarts,
  }: { readonly comments: readonly number[]; readonly clock: Clock; readonly maxStarts: number },
): Promise<boolean> {
  const waiting = ['Mend it.'];
  let told = 0;
  let session: string | null = null;
  const takeTurn = async (): Promise<void> => {
    const texts = waiting.splice(0);
    for await (const event of executor.turn(texts.length === 0 ? ['Go on.'] : texts, {})) {
      if (event.type !== 'tool-end') continue;
      pass(clock);
      for (; isDue(comments, { index: told, clock }); told += 1) {
        const text = toComment(told);
        if ((await executor.steer(text, {})) !== 'handed') waiting.push(text);
      }
    }
    pass(clock);
    for (; isDue(comments, { index: told, clock }); told += 1) waiting.push(toComment(told));
  };
  for (let start = 0; start < maxStarts; start += 1) {
    try {
      session = (await executor.open(session, {})).id;
      do await takeTurn();
      while (told < comments.length || waiting.length > 0);
      return true;
    } catch (error) {
      if (!AgentFailure.isInstance(error)) throw error;
    } finally {
      await executor.close();
    }
  }
  return false;
}
