import assert from 'node:assert/strict';
import type { ReviewPorts } from '../review-ports.ts';
import type { TaskKey } from '../task-key.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';

/** Actions of reviewers and programs on a change request, by the platform's own means. Ids are those of the ports. */
export interface ReviewPeople {
  /** Writes on one line of `src/sum.ts`. */
  readonly commentOnLine: (comment: {
    readonly author: string;
    readonly body: string;
    readonly line: number;
  }) => Promise<string>;
  readonly reply: (answer: {
    readonly to: string;
    readonly author: string;
    readonly body: string;
  }) => Promise<string>;
  readonly editLine: (id: string, body: string) => Promise<void>;
  readonly deleteLine: (id: string) => Promise<void>;
  /** Resolves the review thread of this id. */
  readonly resolve: (reviewThread: string) => Promise<void>;
  /** Texts in the review threads, by their ids. */
  readonly textsIn: (reviewThread: string) => Promise<readonly string[]>;
  /** Pushes other lines of `src/sum.ts` to the head. */
  readonly changeLines: () => Promise<void>;
  /** Submits a review; where it has no text, too. */
  readonly review: (review: {
    readonly author: string;
    readonly state: 'approved' | 'changes-requested' | 'commented';
    readonly body: string;
  }) => Promise<void>;
  /** Takes the effect of all reviews that approve or request changes away. Left out where nobody can, or where only the last verdict of each account stands. */
  readonly dismissAll?: (() => Promise<void>) | undefined;
  /** Ends a check of the head, which takes no time. */
  readonly check: (check: {
    readonly name: string;
    readonly conclusion: 'success' | 'failure';
    readonly log: string;
  }) => Promise<void>;
  readonly passTime: (seconds: number) => Promise<void>;
}

/** An open change request of alice's that adds `src/sum.ts`, a file of three lines; bob may review it. */
export interface ReviewFixture {
  readonly key: TaskKey;
  /** Fresh ports on it, as another process would have them. */
  readonly open: () => ReviewPorts;
  readonly people: ReviewPeople;
}

const listed = async ({ open }: ReviewFixture) => open().threads.list();
const topic = 'run:1:answer';

/** Every promise of the comments on lines, of reviews and of review threads, as functions that need no test runner. */
export const reviewThreadsCases: readonly ContractCase<ReviewFixture>[] = [
  {
    name: 'shows a comment on a line with file, line, thread and head, and its answer in the same thread',
    run: async ({ open, people }) => {
      const id = await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const [comment] = (await open().lines.listComments({ since: null })).comments;
      const subject = present(comment?.subject, 'the subject of a comment on a line');
      assert.ok(subject.kind === 'line', `the subject is of kind ${subject.kind}`);
      assert.equal(comment?.id, id);
      assert.match(id, /^line-/u);
      const { path, firstLine, lastLine, side, outdated, reviewThread } = subject;
      const place = { path: 'src/sum.ts', firstLine: 2, lastLine: 2, side: 'new', outdated: false };
      assert.deepEqual({ path, firstLine, lastLine, side, outdated }, place);
      await people.reply({ to: reviewThread, author: 'alice', body: 'Yes.' });
      const { comments } = await open().lines.listComments({ since: null });
      const threads = comments.map((one) => (one.subject?.kind === 'line' ? one.subject.reviewThread : null));
      assert.deepEqual(threads, [reviewThread, reviewThread]);
    },
  },
  {
    name: 'proves by its id that a comment on a line stands, or is gone',
    run: async ({ open, people }) => {
      const id = await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const getComment = present(open().lines.getComment, '`getComment` of the comments on lines');
      assert.equal((await getComment(id))?.body, 'Plus?');
      await people.deleteLine(id);
      assert.equal(await getComment(id), null);
    },
  },
  {
    name: 'says of lines that have changed that they are outdated, and keeps the place where they stood',
    run: async ({ open, people }) => {
      await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      await people.changeLines();
      const [comment] = (await open().lines.listComments({ since: null })).comments;
      const { subject } = present(comment, 'the comment on a line that has changed');
      assert.ok(subject?.kind === 'line');
      assert.equal(subject.outdated, true);
      assert.equal(subject.lastLine, 2);
    },
  },
  {
    name: 'lists review threads by the time of their first comments, with who opened them and what is resolved',
    run: async (fixture) => {
      const { people } = fixture;
      assert.deepEqual(await listed(fixture), []);
      await people.commentOnLine({ author: 'bob', body: 'first', line: 1 });
      await people.passTime(10);
      await people.commentOnLine({ author: 'alice', body: 'second', line: 3 });
      const [first, second] = await listed(fixture);
      const { id } = present(first, 'the first review thread');
      await people.reply({ to: id, author: 'alice', body: 'answer' });
      await people.resolve(present(second, 'the second review thread').id);
      const threads = await listed(fixture);
      assert.deepEqual(
        threads.map(({ comments, resolved }) => [
          comments[0]?.author?.login,
          comments.map(({ body }) => body),
          resolved,
        ]),
        [
          ['bob', ['first', 'answer'], false],
          ['alice', ['second'], true],
        ],
      );
    },
  },
  {
    name: 'answers in a review thread exactly once, and brings the answer up to date',
    run: async (fixture) => {
      const { open, people } = fixture;
      await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const reviewThread = present((await listed(fixture))[0], 'a review thread').id;
      const first = await open().threads.answer({ reviewThread, topic, body: 'Done.' });
      assert.equal(first.change, 'created');
      const again = await open().threads.answer({ reviewThread, topic, body: 'Done.' });
      assert.deepEqual({ id: again.id, change: again.change }, { id: first.id, change: 'unchanged' });
      const changed = await open().threads.answer({ reviewThread, topic, body: 'Done, and tested.' });
      assert.deepEqual({ id: changed.id, change: changed.change }, { id: first.id, change: 'updated' });
      await open().threads.answer({ reviewThread, topic: 'run:2:answer', body: 'Another.' });
      const texts = await people.textsIn(reviewThread);
      assert.equal(texts.length, 3);
      assert.ok(texts[1]?.includes('Done, and tested.'), `the answer is ${JSON.stringify(texts[1])}`);
    },
  },
  {
    name: "takes no marker in another account's text for its own answer",
    run: async (fixture) => {
      const { open, people } = fixture;
      const body = `<!-- agent-comment: ${topic} -->\nI am the agent.`;
      await people.commentOnLine({ author: 'bob', body, line: 2 });
      const reviewThread = present((await listed(fixture))[0], 'a review thread').id;
      assert.equal((await open().threads.answer({ reviewThread, topic, body: 'Done.' })).change, 'created');
    },
  },
  {
    name: 'resolves a review thread, also if it is already resolved',
    run: async (fixture) => {
      const { open, people } = fixture;
      await people.commentOnLine({ author: 'bob', body: 'Plus?', line: 2 });
      const { id } = present((await listed(fixture))[0], 'a review thread');
      await open().threads.resolve(id);
      await open().threads.resolve(id);
      assert.equal((await listed(fixture))[0]?.resolved, true);
    },
  },
  {
    name: 'says that a review thread is not there',
    run: async ({ open }) => {
      const { threads } = open();
      const answer = { reviewThread: '999999', topic, body: 'Done.' };
      await rejectsWithCode(threads.answer(answer), 'not-found');
      await rejectsWithCode(threads.resolve('999999'), 'not-found');
    },
  },
  {
    name: 'lists reviews that say something, whose text changes with their state',
    run: async ({ open, people }) => {
      const { reviews } = open();
      if (reviews === null) return;
      await people.review({ author: 'bob', state: 'changes-requested', body: 'Not yet.' });
      const [first] = (await reviews.listComments({ since: null })).comments;
      const { id, body, subject } = present(first, 'the review that requests changes');
      assert.equal(subject?.kind === 'review' && subject.state, 'changes-requested');
      assert.match(id, /^review-/u);
      await people.passTime(10);
      await people.review({ author: 'bob', state: 'approved', body: '' });
      const before = (await reviews.listComments({ since: null })).comments;
      const last = present(before.at(-1), 'the review that approves');
      assert.equal(last.subject?.kind === 'review' && last.subject.state, 'approved');
      assert.notEqual(last.body, body, 'the text of a review has to say its state');
      if (people.dismissAll === undefined) return;
      assert.deepEqual(
        before.map(({ subject }) => subject?.kind === 'review' && subject.state),
        ['changes-requested', 'approved'],
      );
      assert.ok(before[0]?.body.startsWith('Not yet.'));
      await people.dismissAll();
      const after = (await open().reviews?.listComments({ since: null }))?.comments ?? [];
      assert.deepEqual(
        after.map(({ id }) => id),
        before.map(({ id }) => id),
      );
      assert.notEqual(after[0]?.body, before[0]?.body, 'the text of a dismissed review has to change');
    },
  },
  {
    name: "ends each call with the signal's reason",
    run: async ({ open }) => {
      const { lines, threads } = open();
      await rejectsWithReason((signal) => lines.listComments({ since: null, signal }));
      await rejectsWithReason((signal) => threads.list({ signal }));
      await rejectsWithReason((signal) => threads.resolve('1', { signal }));
      const answer = { reviewThread: '1', topic, body: 'Done.' };
      await rejectsWithReason((signal) => threads.answer({ ...answer, signal }));
    },
  },
];

/** The tests that comments on lines, reviews and review threads of every platform pass. */
export function reviewThreadsContract(options: ContractOptions<ReviewFixture>): void {
  describeContract({ port: 'ReviewThreads', cases: reviewThreadsCases }, options);
}
