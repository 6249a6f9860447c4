import type { PromiseName } from '../kill/faults/promise.ts';
import { findBrokenPromises } from '../kill/faults/promises.ts';
import type { ThreadEvidence } from './evidence.ts';

/** Something that did not hold. */
export interface Finding {
  /** `lost`: something that was said or done is nowhere. `twice`: it is there more than once. */
  readonly kind: 'lost' | 'twice' | 'wrong';
  readonly text: string;
}

const final = /<!-- agent-comment: run:[0-9a-f-]{36}:final/;
const gaveUp = /times in a row on this task|続けて異常終了/;
/** Requests for the next step after which a command must have been heard. */
const soonEnough = 3;

/** What is wrong with what a cluster left: the promises of the kill trials for each thread, and that nothing of its run is lost. */
export function judgeCluster(evidences: readonly ThreadEvidence[]): readonly Finding[] {
  return evidences.flatMap((evidence) =>
    [...judgePromises(evidence), ...judgeThread(evidence)].map(({ kind, text }) => ({
      kind,
      text: `${evidence.reference}: ${text}`,
    })),
  );
}

const kinds: Readonly<Partial<Record<PromiseName, Finding['kind']>>> = {
  'each comment stands in exactly one message': 'twice',
  'nothing said in time is untold and unreported': 'lost',
  'a step takes effect once': 'twice',
};

function judgePromises(evidence: ThreadEvidence): readonly Finding[] {
  return findBrokenPromises(evidence).map(({ promise, shown }) => ({
    kind: kinds[promise] ?? 'wrong',
    text: `${promise}: ${shown}`,
  }));
}

function judgeThread(evidence: ThreadEvidence): readonly Finding[] {
  const { runs, labels, thread } = evidence;
  const finals = countFinals(evidence);
  return [
    ...compare('runs', runs.length, labels.length),
    ...compare('final comments', finals, labels.length),
    ...judgeSteps(evidence),
    ...judgePauses(evidence),
    ...judgeHearing(evidence),
    ...runs
      .filter(({ place }) => place !== 'completed')
      .map(({ uuid, place }): Finding => ({ kind: 'lost', text: `run ${uuid} is still ${place}` })),
    ...(thread.labels.includes('coding agent processing')
      ? [{ kind: 'wrong', text: 'its label says processing' } as const]
      : []),
  ];
}

function compare(what: string, count: number, wanted: number): readonly Finding[] {
  if (count === wanted) return [];
  return [{ kind: count < wanted ? 'lost' : 'twice', text: `it has ${count} ${what}, not ${wanted}` }];
}

/** Final comments of an issue. */
export function countFinals({ thread }: Pick<ThreadEvidence, 'thread'>): number {
  return thread.comments.filter(({ body }) => final.test(body)).length;
}

/** Whether its processes died too often for it to go on. */
export function isGivenUp({ thread }: Pick<ThreadEvidence, 'thread'>): boolean {
  return thread.comments.some(({ body }) => final.test(body) && gaveUp.test(body));
}

/** Files move with the run: each step that it took stands in a branch once. */
function judgeSteps(evidence: ThreadEvidence): readonly Finding[] {
  const { steps, branches, sayings } = evidence;
  const isCutShort = sayings.some(({ command }) => command === 'stop') || isGivenUp(evidence);
  const logs = branches.flatMap(({ log }) => log ?? []);
  return steps.flatMap((step): Finding[] => {
    const times = logs.filter((line) => line === `step ${step}`).length;
    if (times === 1 || (times === 0 && isCutShort)) return [];
    const kind = times === 0 ? 'lost' : 'twice';
    return [{ kind, text: `step ${step} stands in branches ${times} times, not once` }];
  });
}

/** A run is paused where somebody said so in time, and goes on when they said that. */
function judgePauses({ sayings, modelCalls, runs }: ThreadEvidence): readonly Finding[] {
  const saidAt = sayings.find(({ command }) => command === 'pause')?.revisions[0]?.at;
  if (saidAt === undefined) return [];
  const isInTime = modelCalls.filter((at) => at > saidAt).length > soonEnough;
  const isPaused = runs.some(({ lines }) => lines.some((line) => line.includes('"fact":"paused"')));
  const isResumed = sayings.some(({ command }) => command === 'resume');
  return isInTime && !isPaused && !isResumed
    ? [{ kind: 'lost', text: '/pause was said in time, and no run was paused' }]
    : [];
}

/** What somebody who may steer said long before the end stands in a request; what strangers said may stand in the report alone. */
function judgeHearing({ sayings, modelCalls, conversations, thread }: ThreadEvidence): readonly Finding[] {
  if (sayings.some(({ command }) => command === 'stop') || isGivenUp({ thread })) return [];
  const told = conversations.flatMap(({ requests }) => requests.at(-1) ?? []).join('\n');
  return sayings.flatMap(({ id, by, revisions, deletedAt, command }): Finding[] => {
    const last = revisions.at(-1);
    if (by !== 'alice' || command !== null || deletedAt !== null || last === undefined || last.word === null)
      return [];
    const isInTime = modelCalls.filter((at) => at > last.at).length > soonEnough;
    return isInTime && !told.includes(last.word)
      ? [{ kind: 'lost', text: `comment ${id} (${last.word}) was said in time, and the model was not told` }]
      : [];
  });
}
