import assert from 'node:assert/strict';
import type { ThreadReader } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import {
  assertTime,
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
  unusualText,
} from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `ThreadReader` needs. */
export interface ThreadReaderFixture
  extends PortFixture<
    ThreadReader,
    'openIssue' | 'openPullRequest' | 'comment' | 'editComment' | 'deleteComment' | 'closeThread'
  > {
  /** The key of a thread that is not there. */
  readonly missingKey: TaskKey;
}

/** Every promise of a `ThreadReader`, as functions that need no test runner. */
export const threadReaderCases: readonly ContractCase<ThreadReaderFixture>[] = [
  {
    name: 'reads title, body, author, times and address',
    run: async ({ open, key }) => {
      const thread = await open().readThread();
      const { title, body } = contractWorld.issue;
      assert.deepEqual(thread.key, key);
      assert.deepEqual({ title: thread.title, body: thread.body }, { title, body });
      assert.equal(thread.author?.login, 'alice');
      assert.deepEqual(
        { state: thread.state, confidential: thread.confidential, changeRequest: thread.changeRequest },
        { state: 'open', confidential: false, changeRequest: null },
      );
      assertTime(thread.createdAt);
      assertTime(thread.updatedAt);
      // A web page; for a tracker on this machine a file is what people open.
      assert.match(thread.url, /^(?:https?|file):/u);
    },
  },
  {
    name: 'reads labels, assignees and how many comments there are',
    run: async ({ open, people }) => {
      const { agent } = contractWorld;
      const key = await people.openIssue({
        author: 'bob',
        title: 't',
        labels: ['b', 'a'],
        assignees: [agent],
      });
      await people.comment(key, { author: 'alice', body: 'one' });
      await people.comment(key, { author: 'bob', body: 'two' });
      const thread = await open(key).readThread();
      assert.deepEqual([...thread.labels].sort(), ['a', 'b']);
      assert.deepEqual(
        thread.assignees.map(({ login }) => login),
        [agent],
      );
      assert.equal(thread.commentCount, 2);
    },
  },
  {
    name: 'reads a thread without a body as an empty text [A5]',
    run: async ({ open, people }) => {
      const key = await people.openIssue({ author: 'alice', title: 'no body' });
      assert.equal((await open(key).readThread()).body, '');
    },
  },
  {
    name: 'keeps letters of every kind',
    run: async ({ open, people }) => {
      const key = await people.openIssue({ author: 'alice', title: '題名 🚀 عنوان', body: unusualText });
      const { title, body } = await open(key).readThread();
      assert.deepEqual({ title, body }, { title: '題名 🚀 عنوان', body: unusualText });
    },
  },
  {
    name: 'says that a thread is closed',
    run: async ({ open, key, people }) => {
      await people.closeThread(key);
      assert.equal((await open().readThread()).state, 'closed');
    },
  },
  {
    name: 'reads a pull or merge request with its branches',
    run: async ({ open, people }) => {
      const pull = { author: 'alice', title: 'change', headBranch: 'feature/change' };
      const key = await people.openPullRequest(pull);
      const thread = await open(key).readThread();
      const change = present(thread.changeRequest, 'what `changeRequest` says of a pull or merge request');
      assert.deepEqual(thread.key, key);
      assert.equal(thread.title, 'change');
      assert.equal(change.headBranch, 'feature/change');
      assert.equal(change.baseBranch, 'main');
      assert.deepEqual({ state: change.state, draft: change.draft }, { state: 'open', draft: false });
      assert.equal(change.fromFork, false);
      assert.match(change.headSha, /^[0-9a-f]{40,64}$/u);
    },
  },
  {
    name: 'shows one comment as it stands, and reports a deleted comment as missing, if it can [NX-90]',
    run: async ({ open, key, people }) => {
      const { getComment } = open();
      if (getComment === undefined) return;
      const id = await people.comment(key, { author: 'bob', body: 'one' });
      await people.editComment(key, id, 'two');
      const comment = present(await getComment(id), 'the comment that bob wrote');
      assert.deepEqual({ id: comment.id, body: comment.body }, { id, body: 'two' });
      assert.equal(comment.author?.login, 'bob');
      assertTime(comment.createdAt);
      await people.deleteComment(key, id);
      assert.equal(await getComment(id), null);
    },
  },
  {
    name: 'does not say that a comment is deleted where its thread is not shown, where it can [NX-90]',
    run: async ({ open, key, missingKey, people }) => {
      const { getComment } = open(missingKey);
      if (getComment === undefined) return;
      const id = await people.comment(key, { author: 'bob', body: 'one' });
      await people.deleteComment(key, id);
      await rejectsWithCode(getComment(id), 'not-found');
    },
  },
  {
    name: 'says that a thread is not there',
    run: ({ open, missingKey }) => rejectsWithCode(open(missingKey).readThread(), 'not-found'),
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) => rejectsWithReason((signal) => open().readThread({ signal })),
  },
];

/** The tests that every `ThreadReader` passes. */
export function threadReaderContract(options: ContractOptions<ThreadReaderFixture>): void {
  describeContract({ port: 'ThreadReader', cases: threadReaderCases }, options);
}
