import type { ForgeComment, ForgeThread } from '../../support/forge.ts';
import type { Evidence, RunOnDisk } from './evidence.ts';
import { markerOf } from './marker.ts';
import type { Conversation } from './model-log.ts';
import type { PromiseName } from './promise.ts';

/** What breaks a promise: the evidence as it would be then. The given one has a comment of alice's that was told. */
export const plantedEvidence: Readonly<Record<PromiseName, (evidence: Evidence) => Evidence>> = {
  'each comment stands in exactly one message': (evidence) =>
    withTexts(evidence, (texts) => [
      ...texts,
      texts.find((text) => text.includes(firstWord(evidence))) ?? '',
    ]),
  'each request goes on from the one before': (evidence) => ({
    ...evidence,
    conversations: evidence.conversations.map((one) => ({ ...one, requests: [...one.requests, ['Hello.']] })),
  }),
  'nothing said in time is untold and unreported': (evidence) =>
    withComments(withoutWord(evidence), (comment) => ({
      ...comment,
      body: comment.body.split('### 💬')[0] ?? '',
    })),
  'the report says told only of what was told': withoutWord,
  'only what was deleted is told as deleted, with its words': (evidence) =>
    withTexts(evidence, (texts) => [...texts, '[Comment Deleted by @ghost]:\n(no visible text)']),
  'who may give instructions is told as such, and nobody else': (evidence) =>
    withTexts(evidence, (texts) =>
      texts.map((text) => text.replaceAll('trusted (may instruct you)', 'untrusted (information only)')),
    ),
  'a command is obeyed once, and not forgotten': (evidence) => ({
    ...evidence,
    sayings: [
      ...evidence.sayings,
      { ...firstSaying(evidence), command: 'stop', revisions: [{ word: null, at: 1 }] },
    ],
  }),
  'a run has one final comment': (evidence) => ({
    ...evidence,
    thread: {
      ...evidence.thread,
      comments: evidence.thread.comments.flatMap((comment) =>
        isFinal(comment) ? [comment, comment] : [comment],
      ),
    },
  }),
  'a thread is worked on by one run at a time': (evidence) => ({
    ...evidence,
    conversations: [...evidence.conversations, ...evidence.conversations],
  }),
  'a label says processing only while something is open': (evidence) =>
    withThread(evidence, { labels: ['coding agent processing'] }),
  'a label that a person gave leads to a run, or stays': (evidence) => ({ ...evidence, labels: [1, 2] }),
  'a step takes effect once': (evidence) => ({ ...evidence, effects: [...evidence.effects, 'step 1'] }),
  'branches are pushed to the project of the thread alone': (evidence) => ({
    ...evidence,
    strangeBranches: ['agent/issue-1'],
  }),
  'what is open is shown by status': (evidence) => ({
    ...evidence,
    runs: evidence.runs.map((run) => ({ ...run, place: 'running' as const })),
    status: 'Nothing is open.',
  }),
  'a record is whole': (evidence) => ({
    ...evidence,
    runs: evidence.runs.map((run) => ({ ...run, lines: run.lines.toSpliced(3, 1) })),
  }),
  'a process ends when its work has ended': (evidence) => ({ ...evidence, hung: 1 }),
  'an action is begun before it ends, and ends once': (evidence) =>
    withRuns(evidence, ({ lines }) => ({
      lines: lines.filter((line) => !line.includes('"state":"started"')),
    })),
  'no action begins without an approval that holds': (evidence) =>
    withRuns(evidence, ({ lines }) => ({
      lines: [JSON.stringify({ fact: 'planning', data: { type: 'approval', state: 'void' } }), ...lines],
    })),
  'a plan keeps within its limits': (evidence) =>
    withRuns(evidence, ({ lines }) => ({
      lines: lines.flatMap((line) => (line.includes('"type":"verification"') ? [line, line] : [line])),
    })),
  'a question stands on the thread once': (evidence) =>
    withThread(evidence, { comments: [...evidence.thread.comments, ...evidence.thread.comments] }),
  'the comment of a run stands once, and says that it ended': (evidence) =>
    withThread(evidence, { statusComments: [] }),
  'the file of plans says what the record says': (evidence) =>
    withRuns(evidence, ({ planning }) => ({ planning: (planning ?? []).slice(1) })),
  'an end is called what the record shows': (evidence) =>
    withRuns(evidence, () => ({ outcome: { status: 'partial' } })),
};

const isFinal = ({ body }: ForgeComment): boolean => markerOf.exec(body)?.[2] === 'final';

function firstSaying({ sayings }: Evidence) {
  const [first] = sayings;
  if (first === undefined) throw new Error('nobody said anything');
  return first;
}

const firstWord = (evidence: Evidence): string => firstSaying(evidence).revisions[0]?.word ?? '';

function withTexts(evidence: Evidence, change: (texts: readonly string[]) => readonly string[]): Evidence {
  const changeLast = ({ requests, ...times }: Conversation): Conversation => ({
    ...times,
    requests: requests.map((texts, index) => (index === requests.length - 1 ? change(texts) : texts)),
  });
  return { ...evidence, conversations: evidence.conversations.map(changeLast) };
}

function withoutWord(evidence: Evidence): Evidence {
  const word = firstWord(evidence);
  const hide = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => text.replaceAll(word, '…'));
  return {
    ...evidence,
    conversations: evidence.conversations.map((one) => ({ ...one, requests: one.requests.map(hide) })),
  };
}

function withThread(evidence: Evidence, change: Partial<ForgeThread>): Evidence {
  return { ...evidence, thread: { ...evidence.thread, ...change } };
}

function withRuns(evidence: Evidence, change: (run: RunOnDisk) => Partial<RunOnDisk>): Evidence {
  return { ...evidence, runs: evidence.runs.map((run) => ({ ...run, ...change(run) })) };
}

function withComments(evidence: Evidence, change: (comment: ForgeComment) => ForgeComment): Evidence {
  return withThread(evidence, { comments: evidence.thread.comments.map(change) });
}
