import type { Locale } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { toSamplePlan as toPlan } from '../../test/sample-plan.ts';
import { formatChecklist, formatPlanHistory, type ToldPlan } from './format-plan.ts';
import type { ActionState, Plan, PlanningFact } from './model.ts';

const first = toPlan();
const planFact: PlanningFact = {
  type: 'plan',
  plan: first,
  origin: 'new',
  request_sha256: null,
  plan_hash: '0',
  done_task_ids: [],
};
const actionFact = (task_id: string, state: ActionState): PlanningFact => ({
  type: 'action',
  task_id,
  state,
  attempt: 1,
  detail: '',
  evidence: [],
});
const tell = (
  plan: Plan,
  states: Readonly<Record<string, ActionState>>,
  more: readonly PlanningFact[] = [],
): ToldPlan => ({
  plan,
  facts: [planFact, ...more],
  tasks: new Map(Object.entries(states).map(([id, state]) => [id, { state }])),
});
const revised = toPlan(({ task_decomposition: { subtasks } }) => {
  Object.assign(subtasks[1] ?? {}, { description: 'Round in `round.ts`' });
});
const revision: PlanningFact = {
  type: 'revision',
  number: 1,
  reason: 'The file is elsewhere; fixes #1 for @mona </details>',
  changes: [],
  updated_plan: revised,
  plan_hash: '1',
  cause: 'reflection',
};
const extended: Plan = {
  ...first,
  action_plan: {
    execution_order: first.action_plan.execution_order,
    actions: [
      ...first.action_plan.actions,
      ...first.action_plan.actions.slice(1, 2).map((action) => ({
        ...action,
        task_id: 'verification_fix_1',
        purpose: 'Write the rounding that is missing',
      })),
    ],
  },
};
const done = { task_1: 'succeeded', task_2: 'succeeded', task_3: 'succeeded' } as const;

/** The same comment in both languages. */
const inBoth = (format: (locale: Locale) => string) =>
  (['en', 'ja'] as const).map(format).join('\n\n=====\n\n');

describe('the checklist of a plan, in both languages', () => {
  it('has a box for each action', () => {
    const told = tell(first, { task_1: 'succeeded', task_2: 'failed' });
    expect(inBoth((locale) => formatChecklist(told, { locale }))).toMatchInlineSnapshot(`
      "## 📋 Execution Plan

      - [x] **task_1**: Read the code that adds
      - [ ] **task_2**: Round in one place (❌ failed)
      - [ ] **task_3**: Run the tests

      *Progress: 1/3 (33%) complete*

      =====

      ## 📋 実行計画

      - [x] **task_1**: Read the code that adds
      - [ ] **task_2**: Round in one place (❌ 失敗)
      - [ ] **task_3**: Run the tests

      *進捗: 1/3 (33%) 完了*"
    `);
  });

  it('says why a plan was revised, how far it had come, and shows the older ones folded', () => {
    const told = tell(revised, { task_1: 'succeeded', task_2: 'succeeded', task_3: 'invalidated' }, [
      actionFact('task_1', 'succeeded'),
      revision,
      actionFact('task_2', 'succeeded'),
    ]);
    expect(
      inBoth((locale) =>
        [
          formatChecklist(told, { locale, revisedAt: '2026-05-01 12:00:00 GMT+9' }),
          formatPlanHistory(told, { locale }),
        ].join('\n\n'),
      ),
    ).toMatchInlineSnapshot(`
      "## 📋 Execution Plan (Revised #1)

      **Revision Reason**: The file is elsewhere; fixes #​1 for @​mona &lt;/details>

      **Previous Progress**: 1/3

      ### New Plan:

      - [x] **task_1**: Read the code that adds
      - [x] **task_2**: Round in \`round.ts\`
      - [ ] **task_3**: Run the tests (🚫 no longer valid)

      *Progress: 2/3 (66%) complete | Revision: #1 at 2026-05-01 12:00:00 GMT+9*

      <details>
      <summary>📜 Previous Plan History</summary>

      **Original plan**

      - **task_1**: Read the code that adds
      - **task_2**: Round in one place
      - **task_3**: Run the tests

      </details>

      =====

      ## 📋 実行計画（改訂 #1）

      **改訂の理由**: The file is elsewhere; fixes #​1 for @​mona &lt;/details>

      **これまでの進捗**: 1/3

      ### 新しい計画:

      - [x] **task_1**: Read the code that adds
      - [x] **task_2**: Round in \`round.ts\`
      - [ ] **task_3**: Run the tests (🚫 無効)

      *進捗: 2/3 (66%) 完了 | 改訂: #1（2026-05-01 12:00:00 GMT+9）*

      <details>
      <summary>📜 以前の計画</summary>

      **最初の計画**

      - **task_1**: Read the code that adds
      - **task_2**: Round in one place
      - **task_3**: Run the tests

      </details>"
    `);
  });

  it('has the additional work of verification apart', () => {
    const told = tell(extended, done);
    expect(inBoth((locale) => formatChecklist(told, { locale }))).toMatchInlineSnapshot(`
      "## 📋 Execution Plan (Verification Round)

      ### Original Plan (Completed)

      - [x] **task_1**: Read the code that adds
      - [x] **task_2**: Round in one place
      - [x] **task_3**: Run the tests

      ### Additional Work (From Verification)

      - [ ] **verification_fix_1**: Write the rounding that is missing

      *Progress: 3/4 (75%) - Verification found 1 additional item*

      =====

      ## 📋 実行計画（検証ラウンド）

      ### 元の計画（完了）

      - [x] **task_1**: Read the code that adds
      - [x] **task_2**: Round in one place
      - [x] **task_3**: Run the tests

      ### 追加作業（検証による）

      - [ ] **verification_fix_1**: Write the rounding that is missing

      *進捗: 3/4 (75%) - 検証で 1 件の追加作業が見つかりました*"
    `);
  });
});

describe('formatChecklist', () => {
  it('never checks off what did not succeed, and is empty before there is a plan', () => {
    const told = tell(first, { task_1: 'failed', task_2: 'started', task_3: 'invalidated' });
    expect(formatChecklist(told, { locale: 'en' })).not.toContain('[x]');
    expect(formatChecklist({ plan: null, facts: [], tasks: new Map() }, { locale: 'en' })).toBe('');
  });

  it('stays short whatever a model writes, and shows no secret', () => {
    const many = toPlan(({ action_plan: plan, task_decomposition: { subtasks } }) => {
      const [task] = subtasks.splice(0);
      const [action] = plan.actions.splice(0);
      plan.execution_order = [];
      for (let index = 0; index < 200; index += 1) {
        subtasks.push({ ...task, id: `t${index}`, description: `hunter2 ${'x'.repeat(400)}` } as never);
        plan.actions.push({ ...action, task_id: `t${index}` } as never);
      }
    });
    const redactOutgoing = (text: string) => text.replaceAll('hunter2', '***');
    const shown = formatChecklist(tell(many, {}), { locale: 'en', redactOutgoing });
    expect(shown.length).toBeLessThan(60_000);
    expect(shown).toContain('- 100 more');
    expect(shown).not.toContain('hunter2');
  });

  it('shows ten older plans of many, however often a plan was revised', () => {
    const revisions = Array.from({ length: 14 }, (_, index) => ({ ...revision, number: index + 1 }));
    const shown = formatPlanHistory(tell(revised, {}, revisions), { locale: 'en' });
    expect(formatPlanHistory(tell(revised, {}), { locale: 'en' })).toBe('');
    expect(shown.match(/\*\*Revision #\d+\*\*/g)).toHaveLength(10);
    expect(shown).toContain('- 4 more');
  });
});
