import type { Locale } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { toSamplePlan } from '../../test/sample-plan.ts';
import { readReplanDecision } from './answers/replan.ts';
import { readVerification } from './answers/verification.ts';
import {
  formatActionsDone,
  formatApprovalQuestion,
  formatLoopModeNotice,
  formatQuestion,
  formatReplanNotice,
  formatStoppedPlan,
  formatVerificationNotice,
} from './format-notices.ts';
import type { Plan } from './model.ts';

const first = toSamplePlan();
const planHash = 'abcdef0123456789';
/** The same comment in both languages. */
const inBoth = (format: (locale: Locale) => string) =>
  (['en', 'ja'] as const).map(format).join('\n\n=====\n\n');

describe('a comment about a plan, in both languages', () => {
  const at = '2026-05-01 12:00:00 GMT+9';
  const decided = readReplanDecision(
    '{"replan_needed":true,"confidence":0.6,"reasoning":"The module moved","replan_type":"partial_replan","issues_found":["no such file"],"recommended_actions":[]}',
  );
  if (decided.kind !== 'ok') throw new Error('no decision');
  const verified = readVerification(
    '{"verification_passed":false,"issues_found":["a TODO is left"],"completion_confidence":0.55,"placeholder_detected":{"count":2,"locations":["src/a.ts:3","src/b.ts:9"],"explained":[{"location":"src/b.ts:9","reason":"a test of it"}]}}',
  );
  if (verified.kind !== 'ok') throw new Error('no verification');

  it('tells what was decided about planning again', () => {
    const fact = { phase: 'execution', llm_decision: decided.value } as const;
    expect(inBoth((locale) => formatReplanNotice(fact, { locale, at }))).toMatchInlineSnapshot(`
      "## 🔄 Plan Revision Decided by AI

      **Phase**: execution
      **Confidence**: 60%
      **Reasoning**: The module moved

      **Issues Found**:
      - no such file

      **Recommended Actions**:
      - none

      ⚠️ The model is not sure about this. If it should do something else, comment here.

      *2026-05-01 12:00:00 GMT+9*

      =====

      ## 🔄 AIによる計画の見直し

      **フェーズ**: execution
      **確信度**: 60%
      **理由**: The module moved

      **見つかった問題**:
      - no such file

      **推奨アクション**:
      - なし

      ⚠️ この判断の確信度は高くありません。別の進め方がよい場合は、ここにコメントしてください。

      *2026-05-01 12:00:00 GMT+9*"
    `);
  });

  it('asks, and says what happens where nobody answers', () => {
    const question = { questions: ['Which total?', 'Half up?'], assumptions: ['the cart’s'] };
    expect(
      inBoth((locale) => formatQuestion(question, { locale, until: at, context: 'Two totals' })),
    ).toMatchInlineSnapshot(`
      "## ❓ Clarification Needed (AI Decision)

      I need more information before I continue.

      **Questions**:
      1. Which total?
      2. Half up?

      **Context**: Two totals

      **If there is no answer by 2026-05-01 12:00:00 GMT+9:**
      I'll continue with these assumptions:
      - the cart’s

      Please answer in a comment.

      =====

      ## ❓ 確認が必要です（AIによる判断）

      作業を進める前に、次の点を確認させてください。

      **質問**:
      1. Which total?
      2. Half up?

      **背景**: Two totals

      **2026-05-01 12:00:00 GMT+9 までに回答がない場合**:
      次の前提で作業を進めます:
      - the cart’s

      このページにコメントして回答してください。"
    `);
    expect(
      inBoth((locale) => formatQuestion({ ...question, assumptions: [] }, { locale, until: null })),
    ).toMatchInlineSnapshot(`
      "## ❓ Clarification Needed (AI Decision)

      I need more information before I continue.

      **Questions**:
      1. Which total?
      2. Half up?

      I'm waiting for your answers.

      Please answer in a comment.

      =====

      ## ❓ 確認が必要です（AIによる判断）

      作業を進める前に、次の点を確認させてください。

      **質問**:
      1. Which total?
      2. Half up?

      回答があるまで作業は待機します。

      このページにコメントして回答してください。"
    `);
  });

  it('asks for approval with the plan and its hash', () => {
    const question = {
      kind: 'approval',
      id: 'a',
      plan: first,
      planHash,
      version: 1,
      doneTaskIds: [],
    } as const;
    expect(inBoth((locale) => formatApprovalQuestion(question, { locale }))).toMatchInlineSnapshot(`
      "## 🔐 Approval needed

      I won't change anything until this plan is approved.

      ## 📋 Execution Plan

      **Goal**: Round totals half up

      - [ ] **task_1**: Read the code that adds (\`read_file\`)
      - [ ] **task_2**: Round in one place (\`edit_file\`)
      - [ ] **task_3**: Run the tests (\`run_tests\`)

      To approve this plan, comment \`/approve\`, or react to this comment with 👍. To change it, describe the change in a comment. If the plan or the request changes, I'll ask for approval again. (Plan \`abcdef012345\`, version 1)

      =====

      ## 🔐 承認が必要です

      この計画が承認されるまで、読み取り以外の作業は行いません。

      ## 📋 実行計画

      **目標**: Round totals half up

      - [ ] **task_1**: Read the code that adds (\`read_file\`)
      - [ ] **task_2**: Round in one place (\`edit_file\`)
      - [ ] **task_3**: Run the tests (\`run_tests\`)

      この計画を承認するには \`/approve\` とコメントするか、このコメントに 👍 を付けてください。変更してほしい場合は、その内容をコメントしてください。計画または依頼が変わった場合は、あらためて確認します。（計画 \`abcdef012345\`、第1版）"
    `);
  });

  it('asks for approval of a plan that was changed on the way with what is done checked [NX-258]', () => {
    const question = {
      kind: 'approval',
      id: 'a',
      plan: first,
      planHash,
      version: 1,
      doneTaskIds: ['task_1'],
    } as const;
    expect(formatApprovalQuestion(question, { locale: 'en' }).match(/^- \[.\] .*$/gm)).toEqual([
      '- [x] **task_1**: Read the code that adds (`read_file`)',
      '- [ ] **task_2**: Round in one place (`edit_file`)',
      '- [ ] **task_3**: Run the tests (`run_tests`)',
    ]);
  });

  it('shows a plan of 1,000 actions to its last one, those after the first 100 folded, and stays within a comment [NX-123]', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `task_${index + 1}`);
    const toAction = (id: string) => ({
      ...first.action_plan.actions[0],
      task_id: id,
      purpose: 'x'.repeat(400),
    });
    const actions = ids.map(toAction) as Plan['action_plan']['actions'];
    const plan = { ...first, action_plan: { execution_order: ids, actions } };
    const question = { kind: 'approval', id: 'a', plan, planHash, version: 2, doneTaskIds: [] } as const;
    const body = formatApprovalQuestion(question, { locale: 'en' });
    for (const id of ids) expect(body).toMatch(new RegExp(`\\b${id}\\b`));
    expect(body).toContain('<summary>900 more actions, in brief</summary>');
    expect(body.indexOf('/approve')).toBeLessThan(body.indexOf('<details>'));
    expect(body.length).toBeLessThan(60_000);
  });

  it('tells what a verification found, and calls a partial result partial', () => {
    const fact = { round: 2, last_round: 2, verification_result: verified.value };
    expect(inBoth((locale) => formatVerificationNotice(fact, { locale }))).toMatchInlineSnapshot(`
      "## ⚠️ Verification Not Passed

      **Round**: 2/2
      **Confidence**: 55%

      **Issues Found**:
      - a TODO is left

      **Placeholders Found**:
      - src/a.ts:3
      - src/b.ts:9: left as it is (a test of it)

      The result is partial: the problems above are still open.

      =====

      ## ⚠️ 検証不合格

      **ラウンド**: 2/2
      **確信度**: 55%

      **見つかった問題**:
      - a TODO is left

      **検出されたプレースホルダ**:
      - src/a.ts:3
      - src/b.ts:9: 意図的に残しています（a test of it）

      部分的な完了です。上記の点が残っています。"
    `);
    const passed = { ...verified.value, verification_passed: true, issues_found: [] };
    const notice = formatVerificationNotice(
      { round: 2, last_round: 2, verification_result: passed },
      { locale: 'en' },
    );
    expect(notice).toContain('✅');
  });

  it('says openly that there is no plan, and counts what is done', () => {
    const told = { plan: first, tasks: new Map([['task_1', { state: 'succeeded' as const }]]) };
    expect(
      inBoth((locale) =>
        [
          formatLoopModeNotice({ reason: 'bad_plan', details: ['There is no tool "rm".'] }, { locale }),
          formatLoopModeNotice({ reason: 'one_action', details: [] }, { locale }),
          formatActionsDone(told, { locale }),
          formatStoppedPlan({ ...told, phase: 'execution' }, { locale }),
        ].join('\n---\n'),
      ),
    ).toMatchInlineSnapshot(`
      "⚠️ The model didn't produce a usable plan, so I continued without one. Problems found:

      - There is no tool "rm".
      ---

      ---
      Actions completed: 1/3
      ---
      **Progress:** 1/3 completed
      **Phase:** execution

      =====

      ⚠️ 実行できる計画を作成できなかったため、計画なしで一歩ずつ作業を進めます。問題点:

      - There is no tool "rm".
      ---

      ---
      完了アクション数: 1/3
      ---
      **処理状況:** 1/3 完了
      **フェーズ:** execution"
    `);
  });
});
