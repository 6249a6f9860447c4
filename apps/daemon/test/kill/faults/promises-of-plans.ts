import { isDeepStrictEqual } from 'node:util';
import type { Evidence, RunOnDisk } from './evidence.ts';
import { type PlanFact, readPlanFacts } from './plan-facts.ts';
import type { BrokenPromise, PromiseName } from './promise.ts';

/** What became of the plans of runs; nothing is asked of a run without one. */
export function findBrokenPlans(evidence: Evidence): readonly BrokenPromise[] {
  const broken = (promise: PromiseName, shown: readonly string[]): BrokenPromise[] =>
    shown.map((text) => ({ promise, shown: text }));
  const plans = evidence.runs
    .map((run) => ({ run, facts: readPlanFacts(run) }))
    .filter(({ facts }) => facts.length > 0);
  return plans.flatMap(({ run, facts }) => [
    ...broken('an action is begun before it ends, and ends once', findWrongActions(facts)),
    ...broken('no action begins without an approval that holds', findUnapproved(facts)),
    ...broken('a plan keeps within its limits', findExceeded(facts)),
    ...broken('a question stands on the thread once', findWrongQuestions(evidence, { run, facts })),
    ...broken(
      'the comment of a run stands once, and says that it ended',
      findWrongStatus(evidence, { run, facts }),
    ),
    ...broken('the file of plans says what the record says', findWrongFile(run, facts)),
    ...broken('an end is called what the record shows', findWrongEnd(run, facts)),
  ]);
}

/** Each attempt begins once, and ends once at most; none is made of a step that is done or invalidated. */
function findWrongActions(facts: readonly PlanFact[]): readonly string[] {
  const found: string[] = [];
  const begun = new Map<string, string>();
  for (const { type, task_id: task = '', state = '', attempt = 0 } of facts) {
    if (type === 'plan') begun.clear();
    if (type !== 'action' || state === 'invalidated') continue;
    const before = begun.get(task);
    const name = `attempt ${attempt} at ${task}`;
    if (state === 'started' && before?.endsWith('succeeded')) found.push(`${name} begins, and it is done`);
    if (state === 'started' && before?.endsWith(' started'))
      found.push(`${name} begins before the last ended`);
    if (state !== 'started' && before !== `${attempt} started`)
      found.push(`${name} ${state} and was not begun`);
    begun.set(task, `${attempt} ${state}`);
  }
  return found;
}

/** Where approvals are asked for, each action is one of the plan that was approved last, and nothing has voided that since. */
function findUnapproved(facts: readonly PlanFact[]): readonly string[] {
  if (!facts.some(({ type }) => type === 'approval')) return [];
  const found: string[] = [];
  let [planned, approved]: (string | undefined)[] = [];
  for (const { type, state, plan_hash: hash, task_id: task } of facts) {
    if (type === 'plan' || type === 'revision') planned = hash;
    if (type === 'approval') approved = state === 'given' ? hash : undefined;
    if (type === 'action' && state === 'started' && (approved === undefined || approved !== planned))
      found.push(`${task} begins by a plan that is not approved`);
  }
  return found;
}

/** The defaults of the configuration, which trials keep. */
const limits = { question: 2, total: 10, trigger: 2, retry: 3, revision: 3, rounds: 2, reflections: 3 };

function findExceeded(facts: readonly PlanFact[]): readonly string[] {
  const executed = facts.filter(({ type, executed: is }) => type === 'replan_decision' && is === true);
  const triggers = Map.groupBy(
    executed,
    ({ llm_decision: one }) => `${one?.replan_type}:${one?.target_phase}`,
  );
  const counted: readonly (readonly [string, number, number])[] = [
    ['questions', facts.filter(({ type }) => type === 'question').length, limits.question],
    ['replanning', executed.length, limits.total],
    ...[...triggers].map(([name, of]) => [name, of.length, limits.trigger] as const),
    [
      'revisions of its own',
      facts.filter(({ cause, type }) => type === 'revision' && cause === 'reflection').length,
      limits.revision,
    ],
    ['rounds of verification', longest(facts, 'verification', isByPeople), limits.rounds],
    [
      'reflections without an action',
      longest(facts, 'reflection', ({ type }) => type === 'action'),
      limits.reflections + 1,
    ],
  ];
  return counted.flatMap(([name, count, most]) => (count > most ? [`${name}: ${count} of ${most}`] : []));
}

const isByPeople = ({ type, cause }: PlanFact): boolean =>
  type === 'revision' && (cause === 'comment' || cause === 'rejection');

/** The most facts of a type with none between them that ends their row. */
function longest(facts: readonly PlanFact[], type: string, ends: (fact: PlanFact) => boolean): number {
  let [row, most] = [0, 0];
  for (const fact of facts) {
    if (ends(fact)) row = 0;
    if (fact.type === type) row += 1;
    most = Math.max(most, row);
  }
  return most;
}

interface PlannedOnDisk {
  readonly run: RunOnDisk;
  readonly facts: readonly PlanFact[];
}

/** What was answered or approved stands there; nothing stands twice, or without the fact that it was asked. */
function findWrongQuestions({ thread }: Evidence, { run, facts }: PlannedOnDisk): readonly string[] {
  const topics = thread.comments.flatMap(({ body }) => {
    const [, uuid, topic = ''] =
      /^<!-- agent-comment: run:([0-9a-f-]{36}):((?:question|approval)-\d+)/.exec(body) ?? [];
    return uuid === run.uuid ? [topic] : [];
  });
  const { asked, answered } = readQuestions(facts);
  return [
    ...topics
      .filter((topic, index) => topics.indexOf(topic) !== index)
      .map((topic) => `${topic} stands there twice`),
    ...topics.filter((topic) => !asked.includes(topic)).map((topic) => `the record knows of no ${topic}`),
    ...answered
      .filter((topic) => !topics.includes(topic))
      .map((topic) => `${topic} was answered and stands nowhere`),
  ];
}

/** Topics of what was asked, and of what people answered. */
function readQuestions(facts: readonly PlanFact[]) {
  const asked: string[] = [];
  const answered: string[] = [];
  let approvals = 0;
  for (const { type, id = '', how, state } of facts) {
    if (type === 'question') asked.push(id);
    if (type === 'answered' && how === 'comment') answered.push(id);
    if (type === 'approval' && state === 'asked') {
      approvals += 1;
      asked.push(`approval-${approvals}`);
    }
    if (type === 'approval' && state === 'given') answered.push(`approval-${approvals}`);
  }
  return { asked, answered };
}

/** It stands there once; of a run that has ended it says so, and has checked off what was done. */
function findWrongStatus({ thread }: Evidence, { run, facts }: PlannedOnDisk): readonly string[] {
  const { uuid, place, outcome } = run;
  const shown = thread.statusComments.filter(({ body }) => body.includes(`run:${uuid}:status`));
  if (shown.length !== 1) return [`run ${uuid} has ${shown.length} of them`];
  if (place !== 'completed') return [];
  const { body = '' } = shown[0] ?? {};
  const state = /agent-note: state=(\w+)/.exec(body)?.[1];
  const checked = [...body.matchAll(/^- \[x\] \*\*([^*]+)\*\*/gm)].map(([, id = '']) => id);
  const { done } = readTasks(facts);
  const isShown = !isAtEnd(outcome) || isDeepStrictEqual(checked.toSorted(), done.toSorted());
  return [
    ...(state === 'ended' ? [] : [`run ${uuid} has ended, and its comment says ${state}`]),
    ...(isShown ? [] : [`run ${uuid} did ${done.join()}, and its comment has checked off ${checked.join()}`]),
  ];
}

const kept = ['plan', 'revision', 'reflection', 'verification', 'replan_decision'];

/** The file of a run at work may lag behind its record. */
function findWrongFile({ uuid, place, planning }: RunOnDisk, facts: readonly PlanFact[]): readonly string[] {
  if (place === 'running') return [];
  const said = (planning ?? []).map((line) => {
    const { timestamp: _, issue_id: __, task_uuid: ___, ...fact } = JSON.parse(line);
    return fact;
  });
  const expected = facts.filter(({ type }) => kept.includes(type));
  return isDeepStrictEqual(said, expected)
    ? []
    : [
        `of run ${uuid}: ${said.map(({ type }) => type).join(' ')}, and not ${expected.map(({ type }) => type).join(' ')}`,
      ];
}

const isAtEnd = (outcome: RunOnDisk['outcome']): boolean =>
  ['completed', 'partial'].includes(outcome?.status ?? '');

/** What is done wholly has all its steps done, a passed verification and a report; what is partial has not. */
function findWrongEnd({ uuid, outcome }: RunOnDisk, facts: readonly PlanFact[]): readonly string[] {
  if (outcome === null || !isAtEnd(outcome) || facts.some(({ type }) => type === 'loop_mode')) return [];
  const { undone } = readTasks(facts);
  const passed = facts.findLast(({ type }) => type === 'verification')?.verification_result
    ?.verification_passed;
  const isWhole = undone.length === 0 && passed === true && facts.some(({ type }) => type === 'completion');
  const isCalledWhole = outcome.status === 'completed';
  return isWhole === isCalledWhole
    ? []
    : [
        `run ${uuid} is called ${isCalledWhole ? 'whole' : 'partial'}; not done: ${undone.join() || 'nothing'}; verified: ${passed}`,
      ];
}

interface Tasks {
  readonly done: readonly string[];
  readonly undone: readonly string[];
}

/** Tasks of the last plan, by their last state. */
function readTasks(facts: readonly PlanFact[]): Tasks {
  const last = facts.findLast(({ type }) => type === 'plan' || type === 'revision');
  const plan = last?.plan ?? last?.updated_plan;
  const states = new Map<string, string>();
  for (const { type, task_id: task = '', state = '', done_task_ids: done = [] } of facts) {
    for (const id of type === 'plan' ? done : []) states.set(id, 'succeeded');
    if (type === 'action') states.set(task, state);
  }
  const ids = plan?.action_plan.actions.map(({ task_id: id }) => id) ?? [];
  const isDone = (id: string): boolean => states.get(id) === 'succeeded';
  return { done: ids.filter(isDone), undone: ids.filter((id) => !isDone(id)) };
}
