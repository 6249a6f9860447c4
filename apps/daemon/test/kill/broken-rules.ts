import type { ForgeState } from './forge-state.ts';
import type { MachineState, RunState } from './machine-state.ts';

export interface FinalState {
  readonly forge: ForgeState;
  readonly machine: MachineState;
}

/** Rules that hold for every scenario in the end; a comparison with a state that breaks one would show nothing. */
const rules: Readonly<Record<string, (state: FinalState) => boolean>> = {
  'each thread has one comment of the agent': (state) =>
    asked(state).every(({ comments }) => comments.filter(({ author }) => author === 'robot').length === 1),
  'each thread is labeled as done and nothing else': (state) =>
    asked(state).every(({ labels }) => ours(labels).join() === 'coding agent done'),
  'each run is complete, with a whole journal': (state) =>
    state.machine.runs.length === asked(state).length && state.machine.runs.every(isComplete),
  'each run is listed once': ({ machine }) => machine.listed === machine.runs.length,
  'each run is in the index once, and nothing else is': ({ machine }) =>
    machine.indexed.every((times) => times === 1) && machine.strange === 0,
  'no tool took effect twice': ({ forge }) =>
    forge.branches.every(({ log }) => log === null || log === 'one line'),
  'nobody touched the default branch': ({ forge }) => forge.commitsOnMain === 1,
  'nothing runs any more': ({ machine }) => machine.processes.length === 0,
  'nothing lies in temporary places': ({ machine }) => machine.temporary.length === 0,
  'no worktree is left': ({ machine }) => !machine.workspaces.some((path) => /^worktrees\/./.test(path)),
};

/** The rules that this state breaks. */
export function findBrokenRules(state: FinalState): string[] {
  return Object.entries(rules).flatMap(([rule, holds]) => (holds(state) ? [] : [`broken: ${rule}`]));
}

/** The threads that the daemon was asked for; its own change requests are drafts. */
function asked({ forge }: FinalState) {
  return forge.threads.filter((thread) => thread.changeRequest?.draft !== true);
}

function ours(labels: readonly string[]): string[] {
  return labels.filter((label) => label.startsWith('coding agent'));
}

/** Outcomes that a thread shows as done. */
const complete: ReadonlySet<string> = new Set(['completed', 'answered', 'nothing_to_change']);

function isComplete(run: RunState): boolean {
  return (
    complete.has(run.status) &&
    run.isNumbered &&
    run.isPaired &&
    run.last === 'assistant' &&
    run.summaries === 1
  );
}
