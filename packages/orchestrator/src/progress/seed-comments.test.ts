import type { Plan, PlanningFact } from '@agent/runner/planning';
import { readPlanningState } from '@agent/runner/planning';
import { describe, expect, it } from 'vitest';
import { formatProgressComment, listSeedComments } from './seed-comments.ts';

const plan: Plan = {
  phase: 'planning',
  goal_understanding: { main_objective: 'x', success_criteria: [], constraints: [], context: '' },
  task_decomposition: { reasoning: '', subtasks: [] },
  action_plan: {
    execution_order: ['task_1', 'task_2'],
    actions: ['task_1', 'task_2'].map((id) => ({
      ...{ task_id: id, action_type: 'tool_call', tool: 'read_file', parameters: {}, purpose: `Do ${id}` },
      ...{ expected_outcome: '', fallback_strategy: null },
    })),
  },
  comment: 'Two steps.',
};
const facts: readonly PlanningFact[] = [
  { type: 'phase', phase: 'planning' },
  {
    ...{ type: 'plan', plan, origin: 'new', request_sha256: null, plan_hash: 'aa' },
    done_task_ids: [],
  },
  { type: 'phase', phase: 'execution' },
  { type: 'action', task_id: 'task_1', state: 'succeeded', attempt: 1, detail: 'Read it.', evidence: [] },
  { type: 'revision_dropped', cause: 'reflection', reasons: ['the limit is reached'] },
  {
    ...{ type: 'verification', round: 1, last_round: 2 },
    verification_result: {
      ...{ phase: 'verification', verification_passed: true, issues_found: [], additional_actions: [] },
      placeholder_detected: { count: 0, locations: [], explained: [] },
      ...{ additional_work_needed: false, completion_confidence: 0.9, comment: null },
    },
  },
];
const view = { prePlanning: null, hasBegun: true, plan: readPlanningState(facts) };
const words = {
  ...{ redactOutgoing: (text: string) => text, timeZone: 'UTC' },
};

describe('report.style: seed', () => {
  it('has a comment for the checklist, which is edited, and one for each decision [NX-127]', () => {
    const comments = listSeedComments(view, { ...words, locale: 'en' });
    expect(comments.map(({ topic, body }) => `${topic} ${body.split('\n')[0]}`)).toEqual([
      'plan ## 📋 Execution Plan',
      'plan:4 ⚠️ Skipped a revision of the plan: the limit is reached',
      'plan:5 ## ✅ Verification Passed',
    ]);
    expect(listSeedComments({ plan: null }, { ...words, locale: 'en' })).toEqual([]);
  });

  const show = (locale: 'ja' | 'en', isOver = false) =>
    formatProgressComment(view, {
      ...{ ...words, locale, isOver, uuid: '1', startedAt: '2026-05-01T03:00:00Z' },
      history: {
        entries: facts.map((fact, index) => ({ at: `2026-05-01T03:00:0${index}Z`, fact })),
        modelCalls: 4,
      },
    });

  it('has with planning.progress_comment.enabled one comment in the words of the seeds [X5, NX-127]', () => {
    expect(show('ja')).toMatchInlineSnapshot(`
      "# 🤖 タスク実行進捗

      **Task UUID:** \`1\`

      ## 📊 実行状態

      - **現在フェーズ:** 実行
      - **フェーズ進捗:** ✅ 計画前情報収集 → ✅ 計画 → ▶️ 実行 → リフレクション → 検証 → 完了
      - **ステータス:** 実行中
      - **最新コメント:** Read it.
      - **進捗:** 1/2 アクション完了
      - **LLM呼び出し回数:** 4
      - **開始時刻:** 2026-05-01 03:00:00 UTC
      - **最終更新:** 2026-05-01 03:00:05 UTC
      - **最新検証結果:** ✅ 合格

      ## 🎯 チェックリスト

      ### 📋 実行計画

      - [x] **task_1**: Do task_1
      - [ ] **task_2**: Do task_2

      *進捗: 1/2 (50%) 完了*

      ## 📝 実行履歴

      <details><summary>ここをクリックして詳細を表示</summary>

      ### [03:00:00] ▶️ フェーズ開始: planning

      ### [03:00:01] 📋 計画作成 (2 アクション)

      ### [03:00:02] ▶️ フェーズ開始: execution

      ### [03:00:03] ✅ アクション完了 - task_1

      ### [03:00:05] 🔍 検証 #1 (合格)

      </details>

      *タスク開始: 2026-05-01 03:00:00 UTC | 最終更新: 2026-05-01 03:00:05 UTC*"
    `);
  });

  it('says the same in English [X5, NX-127]', () => {
    expect(show('en', true)).toMatchInlineSnapshot(`
      "# 🤖 Task progress

      **Task UUID:** \`1\`

      ## 📊 State

      - **Phase:** complete
      - **Phases:** ✅ pre-planning → ✅ planning → ✅ execution → ✅ reflection → ✅ verification → ▶️ complete
      - **Status:** finished
      - **Latest comment:** Read it.
      - **Progress:** 1/2 actions completed
      - **Model calls:** 4
      - **Started:** 2026-05-01 03:00:00 UTC
      - **Updated:** 2026-05-01 03:00:05 UTC
      - **Latest verification:** ✅ passed

      ## 🎯 Checklist

      ### 📋 Execution Plan

      - [x] **task_1**: Do task_1
      - [ ] **task_2**: Do task_2

      *Progress: 1/2 (50%) complete*

      ## 📝 History

      <details><summary>Click here for details</summary>

      ### [03:00:00] ▶️ Phase started: planning

      ### [03:00:01] 📋 Plan created (2 actions)

      ### [03:00:02] ▶️ Phase started: execution

      ### [03:00:03] ✅ Action completed - task_1

      ### [03:00:05] 🔍 Verification #1 (passed)

      </details>

      *Task started: 2026-05-01 03:00:00 UTC | Updated: 2026-05-01 03:00:05 UTC*"
    `);
  });
});
