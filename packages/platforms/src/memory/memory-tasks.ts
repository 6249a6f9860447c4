import type { TaskFinder, TaskSummary } from '../ports.ts';
import type { MemoryCall } from './memory-call.ts';
import type { MemoryState, MemoryThread } from './memory-state.ts';

/** Finds threads in every repository of the seed. */
export function createMemoryTasks(state: MemoryState, call: MemoryCall): TaskFinder {
  return {
    listTasks: ({ label, assignee, state: wanted, signal }) =>
      call('listTasks', {
        signal,
        answer: () => ({
          tasks: [...state.repositories.values()]
            .flatMap(({ threads }) => threads)
            .filter((thread) => wanted === 'all' || thread.state === wanted)
            .filter(({ labels }) => label === null || labels.some((name) => same(name, label)))
            .filter(
              (thread) => assignee === null || thread.assignees.some((one) => same(one.login, assignee)),
            )
            .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
            .map((thread) => toTaskSummary(state, thread)),
          failures: [],
        }),
      }),
  };
}

/** A thread as a listing shows it. */
export function toTaskSummary(state: MemoryState, thread: MemoryThread): TaskSummary {
  const { key, title, labels, author, updatedAt } = thread;
  const page = key.type === 'github_pull_request' ? 'pull' : 'issues';
  const url = `https://${state.host}/${key.owner}/${key.repo}/${page}/${key.number}`;
  return { key, number: key.number, title, labels, author, url, updatedAt };
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
