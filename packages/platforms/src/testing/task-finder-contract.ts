import assert from 'node:assert/strict';
import type { TaskFinder, TaskQuery } from '../ports.ts';
import { formatTaskKey } from '../task-key.ts';
import {
  assertTime,
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithReason,
} from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `TaskFinder` needs. */
export type TaskFinderFixture = PortFixture<
  TaskFinder,
  'openIssue' | 'openPullRequest' | 'closeThread' | 'comment' | 'passTime'
>;

const labeled: TaskQuery = { label: 'coding agent', assignee: null, state: 'open' };

/** Every promise of a `TaskFinder`, as functions that need no test runner. */
export const taskFinderCases: readonly ContractCase<TaskFinderFixture>[] = [
  {
    name: 'finds the threads with a label, oldest first, and no others',
    run: async ({ open, key, people }) => {
      const first = await people.openIssue({
        author: 'alice',
        title: 'one',
        labels: ['coding agent', 'bug'],
      });
      await people.passTime(5);
      await people.openIssue({ author: 'alice', title: 'other', labels: ['bug'] });
      await people.passTime(5);
      const second = await people.openIssue({ author: 'bob', title: 'two', labels: ['coding agent'] });
      await people.comment(first, { author: 'alice', body: 'a comment makes no task younger' });
      const { tasks } = await open().listTasks(labeled);
      assert.deepEqual(
        tasks.map((task) => task.key),
        [first, second],
      );
      assert.ok(
        !tasks.some((task) => formatTaskKey(task.key) === formatTaskKey(key)),
        'a thread without the label is listed',
      );
    },
  },
  {
    name: 'finds all of them, however many pages the platform makes of them',
    run: async ({ open, people }) => {
      const keys: string[] = [];
      for (let index = 0; index < 103; index += 1) {
        const issue = { author: 'alice', title: `issue ${index}`, labels: ['coding agent'] };
        keys.push(formatTaskKey(await people.openIssue(issue)));
      }
      const found = (await open().listTasks(labeled)).tasks.map((task) => formatTaskKey(task.key));
      assert.deepEqual([...found].sort(), keys.sort());
    },
  },
  {
    name: 'shows what a thread is about',
    run: async ({ open, people }) => {
      const issue = { author: 'bob', title: '題名 🚀 عنوان', labels: ['bug', 'coding agent'] };
      const key = await people.openIssue(issue);
      const task = present((await open().listTasks(labeled)).tasks[0], 'the labeled task');
      assert.equal(task.title, issue.title);
      assert.deepEqual([...task.labels].sort(), issue.labels);
      assert.equal(task.author?.login, 'bob');
      assert.deepEqual(task.key, key);
      assertTime(task.updatedAt);
    },
  },
  {
    name: 'tells pull requests and issues apart by their keys',
    run: async ({ open, people }) => {
      const pull = { author: 'alice', title: 'change', headBranch: 'feature/change' };
      const key = await people.openPullRequest(pull);
      const { tasks } = await open().listTasks({ label: null, assignee: null, state: 'open' });
      assert.equal(tasks.length, 2);
      assert.deepEqual(tasks.find(({ title }) => title === 'change')?.key, key);
    },
  },
  {
    name: 'asks for a state',
    run: async ({ open, key, people }) => {
      await people.openIssue({ author: 'alice', title: 'still open' });
      await people.closeThread(key);
      const titles = async (state: TaskQuery['state']) =>
        (await open().listTasks({ label: null, assignee: null, state })).tasks.map(({ title }) => title);
      assert.deepEqual(await titles('open'), ['still open']);
      assert.deepEqual(await titles('closed'), [contractWorld.issue.title]);
      assert.equal((await titles('all')).length, 2);
    },
  },
  {
    name: 'asks for an assignee',
    run: async ({ open, people }) => {
      const { agent } = contractWorld;
      const key = await people.openIssue({ author: 'alice', title: 'for the agent', assignees: [agent] });
      const { tasks } = await open().listTasks({ label: null, assignee: agent, state: 'open' });
      assert.deepEqual(
        tasks.map((task) => task.key),
        [key],
      );
    },
  },
  {
    name: 'finds what changed since a time, and need not name what did not',
    run: async ({ open, people }) => {
      const issue = { author: 'alice', labels: ['coding agent'] };
      const first = await people.openIssue({ ...issue, title: 'one' });
      // A platform may leave a thread's time where it is for a minute.
      await people.passTime(120);
      await people.openIssue({ ...issue, title: 'two' });
      await people.passTime(120);
      await people.comment(first, { author: 'alice', body: 'a change' });
      const { tasks } = await open().listTasks(labeled);
      const titles = async (changedSince: string) =>
        (await open().listTasks({ ...labeled, changedSince })).tasks.map(({ title }) => title);
      const [changed] = tasks;
      assert.ok((await titles(present(changed, 'the changed thread').updatedAt)).includes('one'));
      const [, second] = tasks;
      assert.deepEqual(await titles(present(second, 'the second thread').updatedAt), ['one', 'two']);
    },
  },
  {
    name: 'leaves out nothing because of the times of other places',
    run: async ({ open, people }) => {
      await people.openIssue({ author: 'alice', labels: ['coding agent'], title: 'one' });
      const { tasks } = await open().listTasks(labeled);
      const { updatedAt } = present(tasks[0], 'the thread');
      const changedSinceIn = { 'else/where': '2999-01-01T00:00:00Z' };
      const query = { ...labeled, changedSince: updatedAt, changedSinceIn };
      assert.deepEqual((await open().listTasks(query)).tasks, tasks);
    },
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) => rejectsWithReason((signal) => open().listTasks({ ...labeled, signal })),
  },
];

/** The tests that every `TaskFinder` passes. */
export function taskFinderContract(options: ContractOptions<TaskFinderFixture>): void {
  describeContract({ port: 'TaskFinder', cases: taskFinderCases }, options);
}
