import { type Plan, type PlannedAction, type PlanningFact, readPlanningState } from '@agent/runner/planning';
import type { Locale } from '@agent/text';
import { createSecretFilters } from '@agent/text/outgoing';
import { describe, expect, it } from 'vitest';
import { formatProgress } from './format-progress.ts';

const action = (id: string): PlannedAction => ({
  task_id: id,
  action_type: 'tool_call',
  tool: 'write_file',
  parameters: {},
  purpose: `Purpose of ${id}`,
  expected_outcome: '',
  fallback_strategy: null,
});

const describeTask = (id: string, description: string) => ({
  id,
  description,
  dependencies: [],
  estimated_complexity: 'low' as const,
  required_tools: [],
  rests_on: [],
});

const makePlan = (tasks: Readonly<Record<string, string>>): Plan => ({
  phase: 'planning',
  goal_understanding: { main_objective: 'A right total', success_criteria: [], constraints: [], context: '' },
  task_decomposition: {
    reasoning: '',
    subtasks: Object.entries(tasks).map(([id, text]) => describeTask(id, text)),
  },
  action_plan: { execution_order: Object.keys(tasks), actions: Object.keys(tasks).map(action) },
  comment: null,
});

const first = makePlan({ task_1: 'Read the sum', task_2: 'Change the sum' });
const second = makePlan({ task_1: 'Read the sum', task_3: 'Sum up in a function of its own' });
const third = makePlan({
  task_1: 'Read the sum',
  task_3: 'Sum up in a function of its own',
  verification_fix_1: 'Fill in the rounding',
});

const ended = (id: string, state: 'succeeded' | 'failed', detail = ''): PlanningFact => ({
  ...{ type: 'action', task_id: id, attempt: 1, evidence: [] },
  ...{ state, detail },
});
const inPhase = (phase: Extract<PlanningFact, { type: 'phase' }>['phase']): PlanningFact => ({
  type: 'phase',
  phase,
});

const planned: readonly PlanningFact[] = [
  inPhase('planning'),
  {
    ...{ type: 'plan', plan: first, origin: 'new', request_sha256: null, plan_hash: 'aa' },
    done_task_ids: [],
  },
  inPhase('execution'),
  ended('task_1', 'succeeded'),
];

const revised: readonly PlanningFact[] = [
  ...planned,
  ended('task_2', 'failed', 'the tests exited with 1'),
  {
    ...{
      type: 'replan_decision',
      phase: 'execution',
      confidence: 0.7,
      executed: true,
      override_reason: null,
    },
    ...{ replan_counts: {}, next: 'revise' },
    llm_decision: {
      ...{ replan_needed: true, confidence: 0.7, reasoning: 'the sum is used twice' },
      ...{ replan_type: 'partial_replan', target_phase: 'execution', replan_level: 2 },
      ...{ issues_found: ['a test fails'], recommended_actions: ['a function of its own'] },
      ...{ clarification_needed: false, clarification_questions: [], assumptions_to_make: [] },
    },
  },
  inPhase('revision'),
  {
    ...{ type: 'revision', number: 1, reason: 'the sum is used twice', changes: [], cause: 'replan' },
    ...{ updated_plan: second, plan_hash: 'bb' },
  },
  inPhase('execution'),
  ended('task_3', 'succeeded'),
];

const verification = (round: number, passed: boolean): PlanningFact => ({
  ...{ type: 'verification', round, last_round: 2 },
  verification_result: {
    ...{ phase: 'verification', verification_passed: passed, comment: null, completion_confidence: 0.9 },
    issues_found: passed ? [] : ['rounding is a placeholder'],
    placeholder_detected: passed
      ? { count: 0, locations: [], explained: [] }
      : { count: 1, locations: ['total.js:3'], explained: [] },
    ...{ additional_work_needed: !passed, additional_actions: [] },
  },
});

const verified: readonly PlanningFact[] = [
  ...revised,
  inPhase('verification'),
  verification(1, false),
  {
    ...{ type: 'revision', number: 2, reason: 'a placeholder', changes: [], cause: 'verification' },
    ...{ updated_plan: third, plan_hash: 'cc' },
  },
  ended('verification_fix_1', 'succeeded'),
  verification(2, true),
];

const show = (
  facts: readonly PlanningFact[],
  { locale = 'en', isOver = false }: { readonly locale?: Locale; readonly isOver?: boolean } = {},
) =>
  formatProgress(
    { prePlanning: null, hasBegun: true, plan: readPlanningState(facts) },
    {
      ...{ locale, isOver, timeZone: 'Asia/Tokyo' },
      redactOutgoing: createSecretFilters(['plum orchard lane']).redactOutgoing,
    },
  );

describe('the progress of a run that plans', () => {
  it('shows its plan as a checklist, and how far it is [NX-126]', () => {
    expect(show(planned)).toMatchInlineSnapshot(`
      "**Now:** executing the plan (1 of 2 done)

      ### 📋 Execution Plan

      - [x] **task_1**: Read the sum
      - [ ] **task_2**: Change the sum

      *Progress: 1/2 (50%) complete*"
    `);
  });

  it('shows what failed and was revised, older plans and decisions folded [NX-126]', () => {
    expect(show(revised)).toMatchInlineSnapshot(`
      "**Now:** executing the plan (2 of 2 done)

      ### 📋 Execution Plan (Revised #1)

      **Revision Reason**: the sum is used twice

      **Previous Progress**: 1/2

      #### New Plan:

      - [x] **task_1**: Read the sum
      - [x] **task_3**: Sum up in a function of its own

      *Progress: 2/2 (100%) complete | Revision: #1*

      ### 🩹 Setbacks

      - **task_2**, attempt 1: the tests exited with 1

      <details>
      <summary>Decisions about the plan</summary>

      ### 🔄 Plan Revision Decided by AI

      **Phase**: execution
      **Confidence**: 70%
      **Reasoning**: the sum is used twice

      **Issues Found**:
      - a test fails

      **Recommended Actions**:
      - a function of its own

      ⚠️ The model is not sure about this. If it should do something else, comment here.

      </details>

      <details>
      <summary>📜 Previous Plan History</summary>

      **Original plan**

      - **task_1**: Read the sum
      - **task_2**: Change the sum

      </details>"
    `);
  });

  it('shows what verification found, earlier rounds folded, and no state at the end [NX-126]', () => {
    expect(show(verified, { isOver: true })).toMatchInlineSnapshot(`
      "### 📋 Execution Plan (Verification Round)

      #### Original Plan (Completed)

      - [x] **task_1**: Read the sum
      - [x] **task_3**: Sum up in a function of its own

      #### Additional Work (From Verification)

      - [x] **verification_fix_1**: Fill in the rounding

      *Progress: 3/3 (100%) - Verification found 1 additional item*

      ### 🩹 Setbacks

      - **task_2**, attempt 1: the tests exited with 1

      ### ✅ Verification Passed

      **Round**: 2/2
      **Confidence**: 90%

      **Issues Found**:
      - none

      <details>
      <summary>Earlier rounds of verification</summary>

      ### ⚠️ Verification Not Passed

      **Round**: 1/2
      **Confidence**: 90%

      **Issues Found**:
      - rounding is a placeholder

      **Placeholders Found**:
      - total.js:3

      </details>

      <details>
      <summary>Decisions about the plan</summary>

      ### 🔄 Plan Revision Decided by AI

      **Phase**: execution
      **Confidence**: 70%
      **Reasoning**: the sum is used twice

      **Issues Found**:
      - a test fails

      **Recommended Actions**:
      - a function of its own

      ⚠️ The model is not sure about this. If it should do something else, comment here.

      </details>

      <details>
      <summary>📜 Previous Plan History</summary>

      **Revision #1**

      - **task_1**: Read the sum
      - **task_3**: Sum up in a function of its own

      **Original plan**

      - **task_1**: Read the sum
      - **task_2**: Change the sum

      </details>"
    `);
  });

  it('shows the same in Japanese [NX-126]', () => {
    expect(show(verified, { locale: 'ja' })).toMatchInlineSnapshot(`
      "**現在:** 結果を検証しています

      ### 📋 実行計画（検証ラウンド）

      #### 元の計画（完了）

      - [x] **task_1**: Read the sum
      - [x] **task_3**: Sum up in a function of its own

      #### 追加作業（検証による）

      - [x] **verification_fix_1**: Fill in the rounding

      *進捗: 3/3 (100%) - 検証で 1 件の追加作業が見つかりました*

      ### 🩹 うまくいかなかったこと

      - **task_2** が失敗しました: the tests exited with 1

      ### ✅ 検証合格

      **ラウンド**: 2/2
      **確信度**: 90%

      **見つかった問題**:
      - なし

      <details>
      <summary>これまでの検証</summary>

      ### ⚠️ 検証不合格

      **ラウンド**: 1/2
      **確信度**: 90%

      **見つかった問題**:
      - rounding is a placeholder

      **検出されたプレースホルダ**:
      - total.js:3

      </details>

      <details>
      <summary>計画についての判断</summary>

      ### 🔄 AIによる計画の見直し

      **フェーズ**: execution
      **確信度**: 70%
      **理由**: the sum is used twice

      **見つかった問題**:
      - a test fails

      **推奨アクション**:
      - a function of its own

      ⚠️ この判断の確信度は高くありません。別の進め方がよい場合は、ここにコメントしてください。

      </details>

      <details>
      <summary>📜 以前の計画</summary>

      **改訂 #1**

      - **task_1**: Read the sum
      - **task_3**: Sum up in a function of its own

      **最初の計画**

      - **task_1**: Read the sum
      - **task_2**: Change the sum

      </details>"
    `);
  });

  it('says that it waits for people, and until when [NX-126]', () => {
    const question = {
      ...{ type: 'question', id: 'q1', questions: ['Which sum?'], assumptions: [] },
      ...{ asked_at: '2026-05-01T03:00:00Z', until: '2026-05-01T03:30:00Z' },
    } satisfies PlanningFact;
    expect(show([inPhase('planning'), question])).toContain(
      '**Now:** waiting for an answer to the question below (until 2026-05-01 12:30:00 GMT+9)',
    );
    const asked = {
      ...{ type: 'approval', plan_hash: 'aa', state: 'asked', by: null, reason: null, request_sha256: null },
    } satisfies PlanningFact;
    expect(show([...planned, asked])).toContain('**Now:** waiting for approval of the plan');
  });

  it('says openly that no plan came about [NX-126]', () => {
    const said = show([
      inPhase('planning'),
      { type: 'loop_mode', reason: 'bad_plan', details: ['plum orchard lane is no tool'] },
    ]);
    expect(said).toContain('**Now:** working on the task');
    expect(said).toContain('[REDACTED] is no tool');
  });

  it('has nothing to show of a plan that is not begun', () => {
    expect(show([])).toBe('');
  });

  it('keeps within its length, however often a plan is revised and long it is [NX-126]', () => {
    const long = makePlan(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`task_${index}`, 'x'.repeat(190)])),
    );
    const many = Array.from(
      { length: 10 },
      (_, index): PlanningFact => ({
        ...{ type: 'revision', number: index + 1, reason: 'x', changes: [], cause: 'reflection' },
        ...{ updated_plan: long, plan_hash: String(index) },
      }),
    );
    const said = show([...planned, ...many]);
    expect(said.length).toBeLessThanOrEqual(20_000);
    expect(said).toContain('task_1');
    expect(said.split('<details>').length).toBe(said.split('</details>').length);
  });
});
