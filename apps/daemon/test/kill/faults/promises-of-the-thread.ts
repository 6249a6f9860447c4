import type { ForgeComment } from '../../support/forge.ts';
import type { Evidence } from './evidence.ts';
import { markerOf } from './marker.ts';
import { agentLabel } from './people.ts';
import type { BrokenPromise, PromiseName } from './promise.ts';

/** What people see on the forge. */
export function findBrokenThread(evidence: Evidence): readonly BrokenPromise[] {
  const broken = (promise: PromiseName, shown: readonly string[]): BrokenPromise[] =>
    shown.map((text) => ({ promise, shown: text }));
  return [
    ...broken('a run has one final comment', findWrongFinals(evidence)),
    ...broken('a thread is worked on by one run at a time', findTwoAtWork(evidence)),
    ...broken('a label says processing only while something is open', findStuckLabel(evidence)),
    ...broken('a label that a person gave leads to a run, or stays', findTakenLabel(evidence)),
    ...broken('a command is obeyed once, and not forgotten', findForgottenCommands(evidence)),
    ...broken('branches are pushed to the project of the thread alone', evidence.strangeBranches),
    ...broken('what is open is shown by status', findUnshown(evidence)),
  ];
}

const runOf = ({ body }: ForgeComment): string => markerOf.exec(body)?.[1] ?? '';

function listFinals({ thread }: Evidence): readonly ForgeComment[] {
  return thread.comments.filter(
    ({ author, body }) => author === 'robot' && markerOf.exec(body)?.[2] === 'final',
  );
}

function findWrongFinals(evidence: Evidence): readonly string[] {
  const finals = listFinals(evidence).map(runOf);
  const twice = finals.filter((uuid, index) => finals.indexOf(uuid) !== index);
  const ended = evidence.runs.filter(
    ({ place, lines }) => place === 'completed' && !lines.some((line) => line.includes('withdrawn')),
  );
  const without = ended.filter(({ uuid }) => !finals.includes(uuid));
  return [
    ...twice.map((uuid) => `run ${uuid} has more than one final comment`),
    ...without.map(({ uuid }) => `run ${uuid} has ended and has none`),
  ];
}

function findTwoAtWork({ conversations }: Evidence): readonly string[] {
  const inOrder = conversations.toSorted((one, other) => one.from - other.from);
  const early = inOrder.filter(({ from }, index) => from < (inOrder[index - 1]?.to ?? 0));
  return early.map(() => 'a run asked the model while another one was at work');
}

function findStuckLabel({ thread, runs }: Evidence): readonly string[] {
  const isOpen = runs.some(({ place }) => place !== 'completed');
  return !isOpen && thread.labels.includes(`${agentLabel} processing`)
    ? [`nothing is open; the labels are ${thread.labels.join(', ')}`]
    : [];
}

/** Each label is a wish for a run: as many runs have begun or were refused in words, or the last label stands there. */
function findTakenLabel(evidence: Evidence): readonly string[] {
  const begun = new Set([...evidence.runs.map(({ uuid }) => uuid), ...listFinals(evidence).map(runOf)]).size;
  const waiting = evidence.thread.labels.includes(agentLabel) ? 1 : 0;
  const refused = evidence.thread.comments.filter(
    (comment) => comment.author === 'robot' && runOf(comment) === '',
  );
  const wishes = evidence.labels.length;
  return begun + waiting + refused.length >= wishes
    ? []
    : [`${wishes} labels were given, ${begun} runs have begun, and none waits`];
}

/** Words of the comment that says that a run was stopped. */
const stopped = /^## ⛔/m;

function findForgottenCommands(evidence: Evidence): readonly string[] {
  const finals = listFinals(evidence);
  // What is said while the last step or the end is under way comes too late.
  const stops = evidence.sayings.filter(({ command, by, revisions }) => {
    const after = evidence.modelCalls.filter((at) => at > (revisions[0]?.at ?? 0)).length;
    return command === 'stop' && by === 'alice' && after >= 3;
  });
  const isStopped = finals.some(({ body }) => stopped.test(body));
  const isOpen = evidence.runs.some(({ place }) => place !== 'completed');
  return [
    ...(stops.length > 0 && !isStopped && !isOpen ? ['/stop was said in time, and no run was stopped'] : []),
    ...(stops.length === 0 && isStopped && !evidence.sayings.some(({ command }) => command === 'stop')
      ? ['a run was stopped and nobody said so']
      : []),
  ];
}

function findUnshown({ runs, status }: Evidence): readonly string[] {
  const open = runs.filter(({ place, uuid }) => place !== 'completed' && !status.includes(uuid.slice(0, 8)));
  return open.map(({ uuid }) => `run ${uuid} is open, and status says: ${status.slice(0, 300)}`);
}
