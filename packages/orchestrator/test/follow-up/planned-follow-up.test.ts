// @module-tag full
import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import {
  type ConversationView,
  type FollowUpBed,
  openFollowUpBed,
  path,
  repo,
  type Script,
} from './follow-up-bed.ts';

let bed: FollowUpBed;
afterEach(() => bed.close());

const wrong = 'export const sum = (a, b) => a * b;\n';
const right = 'export const sum = (a, b) => a + b;\n';
const notes = 'The sum adds.\n';

const toAction = (task_id: string, tool: string) => ({
  ...{ task_id, action_type: 'tool_call', tool, parameters: {}, purpose: `Do ${task_id}.` },
  ...{ expected_outcome: 'It is done.', fallback_strategy: null },
});
const toSubtask = (id: string, tool: string) => ({
  ...{ id, description: `Part ${id}`, dependencies: [], rests_on: [], required_tools: [tool] },
  estimated_complexity: 'low',
});
const plan = {
  phase: 'planning',
  goal_understanding: {
    ...{ main_objective: 'The sum is right.', success_criteria: ['The tests pass.'] },
    ...{ constraints: [], context: '' },
  },
  task_decomposition: {
    reasoning: '',
    subtasks: [toSubtask('task_1', 'read_file'), toSubtask('task_2', 'write_file')],
  },
  action_plan: {
    execution_order: ['task_1', 'task_2'],
    actions: [toAction('task_1', 'read_file'), toAction('task_2', 'write_file')],
  },
  comment: null,
};
const reflection = {
  phase: 'reflection',
  reflection: {
    ...{ action_evaluated: null, status: 'success', evaluation: 'As planned.', issues_identified: [] },
    ...{ plan_revision_needed: false, reasoning: 'The next action does it.' },
  },
  plan_revision: null,
};
const completion = {
  ...{ phase: 'completion', done: true },
  summary: { goal_achieved: true, key_outcomes: [], lessons_learned: [] },
};
const toOutcome = (current_task: string) => ({
  ...{ phase: 'execution', current_task, expected_outcome_met: true, evidence: 'The tool says so.' },
});
const toVerification = (missing: readonly object[]) => ({
  ...{ phase: 'verification', verification_passed: missing.length === 0, additional_actions: missing },
  ...{ issues_found: missing.length === 0 ? [] : ['The notes are missing.'], completion_confidence: 0.9 },
  ...{ placeholder_detected: { count: 0, locations: [] }, additional_work_needed: missing.length > 0 },
});

/** Request of a phase: its name, or the task of an action. */
interface Asked {
  readonly name: string;
  readonly text: string;
}

function findAsked({ said }: ConversationView): Asked {
  const text = said.findLast((one) => one.startsWith('Planning phase: ')) ?? '';
  const [, phase = 'summary'] = /^Planning phase: (\w+)/.exec(text) ?? [];
  const [, task = phase] = /the action (\w+)/i.exec(text) ?? [];
  return { name: phase === 'execution' ? task : phase, text };
}

/** Call by which each action is carried out. */
const calls: Readonly<Record<string, (view: ConversationView) => ReturnType<Script>>> = {
  task_1: () => ({ call: 'read_file', input: { path } }),
  task_2: () => ({ write: wrong }),
  round_1: () => ({ write: right }),
  verification_fix_1: () => ({ call: 'write_file', input: { path: 'NOTES.md', content: notes } }),
  round_2: ({ said }) => {
    const thread = said.flatMap((text) => [...text.matchAll(/review thread (\d+)/g)]).at(-1)?.[1];
    return {
      call: 'answer_review_thread',
      input: { review_thread: thread ?? 'none', text: 'It is the style here.', resolved: true },
    };
  },
};

/** Plans, and carries out each action by one call. `hear` is told each request; where it `finds` something, a round lacks its notes. */
function createPlanner(
  hear: (asked: Asked, view: ConversationView) => void,
  { finds }: { readonly finds: boolean },
): Script {
  const answer = (value: object) => ({ text: JSON.stringify(value) });
  return (view) => {
    const asked = findAsked(view);
    hear(asked, view);
    const { name, text } = asked;
    const call = calls[name];
    if (call !== undefined && view.made === 0) return call(view);
    if (call !== undefined) return answer(toOutcome(name));
    if (name === 'planning') return answer(plan);
    if (name === 'reflection') return answer(reflection);
    if (name === 'verification') {
      const isMissing = finds && view.written.includes(right) && !view.written.includes(notes);
      return answer(toVerification(isMissing ? [toAction('verification_fix_1', 'write_file')] : []));
    }
    return text.includes('"completion"') ? answer(completion) : { text: 'The sum is right now.' };
  };
}

const planning = { enabled: true, pre_planning: { enabled: false } } as const;

/** Has the test pass once the file adds, after so many milliseconds. */
const checkTheSum = ({ passesAfterMs = 0 } = {}) =>
  bed.simulator.ci.answer(repo, ({ read }) => {
    const conclusion = read(path)?.includes('a + b') ? 'success' : 'failure';
    return [
      { name: 'test', conclusion, log: 'found -1', takesMs: conclusion === 'success' ? passesAfterMs : 0 },
    ];
  });

function listCommits(): readonly string[] {
  const branch = bed.simulator.thread(repo, bed.pull()).pullRequest?.head ?? '';
  const log = ['-C', bed.simulator.gitDirectory(repo), 'log', '--format=%an: %s', branch];
  return execFileSync('git', log, { encoding: 'utf8' }).trim().split('\n');
}

it('repairs a check and answers a reviewer by actions of its plan, whichever process is there [NX-258]', async () => {
  const asked: string[] = [];
  // A process ends while its model is asked for each of these the first time.
  const ending = new Set(['round_1', 'round_2']);
  let isReviewed = false;
  const review = () => {
    if (isReviewed) return;
    isReviewed = true;
    const at = { repo, number: bed.pull(), path, line: 1 };
    void bed.simulator.reviews.comment({ ...at, author: 'alice', body: 'Why so short?' });
  };
  const script = createPlanner(
    ({ name }, { end }) => {
      asked.push(name);
      if (ending.delete(name)) end();
    },
    { finds: true },
  );
  bed = await openFollowUpBed({ script, planning });
  const { simulator, issue } = bed;
  // The review comes while the check of the repair still runs.
  await checkTheSum({ passesAfterMs: 900_000 });
  let processes = 0;
  for (; bed.ended().completed !== 1 && processes < 20; processes += 1)
    await bed.run((tick, end) => {
      if (asked.includes('verification_fix_1') && !isReviewed && listCommits().length === 3) review();
      if (bed.ended().completed === 1 || tick > 2_000) end();
    });
  const bodies = simulator.thread(repo, issue).comments.map(({ body }) => body);
  expect(bodies.at(-1)).toContain('All checks have passed');
  expect(bodies.at(-1)).toContain('Actions completed: 5/5');
  // Five, and two that the end of a process kept from starting.
  expect(bodies.at(-1)).toContain('Tool calls: 7');
  expect(bodies.filter((body) => body.includes(':delivered'))).toHaveLength(1);
  expect(processes).toBe(3);
  // Each action is a call and its end. A call that the end of a process kept from starting is asked for again.
  expect(asked).toEqual([
    ...['planning', ...twice('task_1'), ...twice('task_2'), 'verification', ...twice('report')],
    ...['reflection', ...twice('round_1'), ...twice('round_1'), 'verification'],
    ...[...twice('verification_fix_1'), 'reflection', 'verification', ...twice('report')],
    ...['reflection', ...twice('round_2'), ...twice('round_2'), 'verification', ...twice('report')],
    'summary',
  ]);
  expect(listCommits()).toEqual([
    'agent: Change src/sum.js and 1 more file after a failed check (#1)',
    'agent: Change src/sum.js (#1)',
    'owner: Initial commit',
  ]);
  const threads = simulator.reviews.threads(repo, bed.pull());
  expect(threads.map(({ comments }) => comments.map(({ author }) => author))).toEqual([['alice', 'agent']]);
});

const twice = (name: string) => [name, name];

it('does nothing of a round before its plan, with what is done checked, is approved again [NX-258]', async () => {
  const asked: string[] = [];
  const script = createPlanner(({ name }) => asked.push(name), { finds: false });
  bed = await openFollowUpBed({ script, planning: { ...planning, approval: 'required' } });
  const { simulator, issue } = bed;
  await checkTheSum();
  const questions: string[] = [];
  const doneBefore: boolean[] = [];
  await bed.run((tick, end) => {
    const { comments } = simulator.thread(repo, issue);
    const question = comments.filter(({ body }) => /:approval-\d/.test(body))[questions.length]?.body;
    if (question !== undefined) {
      questions.push(question);
      doneBefore.push(asked.includes(questions.length === 1 ? 'task_1' : 'round_1'));
      simulator.comment({ repo, number: issue, author: 'alice', body: '/approve' });
    }
    if (bed.ended().completed === 1 || tick > 2_000) end();
  });
  expect(bed.ended()).toMatchObject({ completed: 1 });
  expect(doneBefore).toEqual([false, false]);
  expect(questions.map((body) => body.match(/^- \[.\] \S+/gm))).toEqual([
    ['- [ ] **task_1**:', '- [ ] **task_2**:'],
    ['- [x] **task_1**:', '- [x] **task_2**:', '- [ ] **round_1**:'],
  ]);
  expect(listCommits()).toHaveLength(3);
  expect(asked.filter((name) => name === 'round_1')).toHaveLength(2);
});
