import type { SimulatedGitLabThread, SimulatedNote } from './gitlab-simulator.ts';
import { isDraft } from './state/draft.ts';
import type { Note, Thread } from './state/model.ts';
import { referenceOf } from './state/threads.ts';

/** A thread in the words of the simulator's own interface. */
export function summarizeThread(thread: Thread): SimulatedGitLabThread {
  const { iid, title, description, state, confidential, createdAt, updatedAt, merge } = thread;
  return {
    iid,
    reference: referenceOf(thread),
    title,
    description,
    state,
    confidential,
    createdAt,
    updatedAt,
    labels: [...thread.labels.keys()].sort(),
    assignees: thread.assignees.map(({ username }) => username),
    notes: [...thread.notes.values()].map(summarizeNote),
    mergeRequest: merge && { source: merge.sourceBranch, target: merge.targetBranch, draft: isDraft(title) },
  };
}

/** A note in the words of the simulator's own interface. */
export function summarizeNote(note: Note): SimulatedNote {
  const { id, author, body, system, internal, createdAt, updatedAt } = note;
  const awards = [...note.awards.values()].map(({ name, user }) => ({ author: user.username, name }));
  return {
    id,
    author: author.isDeleted ? 'ghost' : author.username,
    body,
    system,
    internal,
    createdAt,
    updatedAt,
    awards,
  };
}
