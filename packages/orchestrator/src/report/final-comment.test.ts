import { type PlanningFact, readPlanningState } from '@agent/runner/planning';
import { describe, expect, it } from 'vitest';
import { planFact } from '../../test/plan-fact.ts';
import { createLabelTexts } from '../triggers/label-texts.ts';
import { type FinalReport, formatFinalComment } from './final-comment.ts';

const report: FinalReport = {
  status: 'completed',
  reason: null,
  finalText: 'I fixed the total.',
  statistics: { modelCalls: 4, toolCalls: 7, inputTokens: 1200, outputTokens: 80, durationMs: 65_400 },
  requests: { made: 12, unchanged: 3 },
  delivery: {
    branch: 'agent/issue-7-fix',
    commit: 'abcdef0123456789',
    changeRequest: { number: 8, url: 'https://example.org/acme/shop/pull/8', isDescribed: true },
    changedFiles: ['a.ts', 'b.ts'],
  },
  plan: null,
  tried: [],
  detection: null,
  stopCause: null,
  askedBy: null,
  finishedAt: new Date('2026-03-04T05:06:07Z'),
};
const english = {
  locale: 'en',
  trigger: createLabelTexts('coding agent'),
  platform: 'github',
  changeRequest: 'pull request',
  timeZone: 'UTC',
} as const;
const japanese = { ...english, locale: 'ja' } as const;

describe('formatFinalComment', () => {
  it('reports a completed run in Japanese, in the words of the specification [RL-14]', () => {
    expect(formatFinalComment(report, japanese)).toMatchInlineSnapshot(`
      "## ✅ タスク完了

      I fixed the total.

      **ドラフトのプルリクエスト:** [#8](https://example.org/acme/shop/pull/8), 変更したファイル 2 件

      誤りや不足があれば、タスクを再開する前にコメントでお知らせください。 タスクを再開する場合は、
      \`coding agent\` ラベルを付与してください。

      *終了時刻: 2026-03-04 05:06:07 UTC*

      ### 📊 実行統計

      - LLM呼び出し回数: 4
      - ツール呼び出し回数: 7
      - トークン（入力 / 出力）: 1200 / 80
      - 所要時間: 1分5秒
      - GitHub へのリクエスト: 12 (うちキャッシュから 3)"
    `);
  });

  it('reports a completed run in English [RL-14]', () => {
    expect(formatFinalComment(report, english)).toMatchInlineSnapshot(`
      "## ✅ Task completed

      I fixed the total.

      **Draft pull request:** [#8](https://example.org/acme/shop/pull/8), 2 files changed

      If something is wrong or missing, describe it in a comment before you restart the task. To restart the task, add the label \`coding agent\` again.

      *Finished at: 2026-03-04 05:06:07 UTC*

      ### 📊 Statistics

      - Model calls: 4
      - Tool calls: 7
      - Tokens in / out: 1200 / 80
      - Duration: 1 min 5 s
      - Requests to GitHub: 12 (3 answered from the cache)"
    `);
  });

  it('calls a merge request what GitLab calls it', () => {
    const gitLab = { changeRequest: 'merge request' } as const;
    expect(formatFinalComment(report, { ...japanese, ...gitLab })).toContain(
      '**ドラフトのマージリクエスト:** [!8](https://',
    );
    expect(formatFinalComment(report, { ...english, ...gitLab })).toContain('**Draft merge request:** [!8](');
  });

  it('says why a run failed, what it tried and how to try again [RL-14]', () => {
    const failed: FinalReport = {
      ...report,
      status: 'failed',
      reason: 'The model endpoint did not answer.',
      finalText: null,
      tried: [{ tool: 'read_file', calls: 3 }],
    };
    expect(formatFinalComment(failed, english)).toMatchInlineSnapshot(`
      "## ❌ Task failed

      **Reason:** The model endpoint did not answer.

      **What was tried:**

      - \`read_file\` × 3

      **Unfinished changes pushed to:** \`agent/issue-7-fix\` (\`abcdef0123\`), 2 files changed

      To start over, add the label \`coding agent\` again.

      *Finished at: 2026-03-04 05:06:07 UTC*

      ### 📊 Statistics

      - Model calls: 4
      - Tool calls: 7
      - Tokens in / out: 1200 / 80
      - Duration: 1 min 5 s
      - Requests to GitHub: 12 (3 answered from the cache)"
    `);
  });

  it('names the pushed branch of a pull request, and says when nothing was changed', () => {
    const pushed = { ...report, delivery: { ...report.delivery, changeRequest: null } };
    expect(formatFinalComment(pushed, english)).toContain(
      '**Pushed to:** `agent/issue-7-fix` (`abcdef0123`)',
    );
    const unchanged = {
      ...pushed,
      delivery: { branch: null, commit: null, changeRequest: null, changedFiles: [] },
    };
    expect(formatFinalComment(unchanged, english)).toContain('No files were changed.\n');
    const { changeRequest } = report.delivery;
    const open = { ...unchanged, delivery: { ...unchanged.delivery, changeRequest } };
    expect(formatFinalComment(open, japanese)).toContain(
      'ファイルの変更はありません。 **オープン中のプルリクエスト:** [#8](https://example.org/acme/shop/pull/8)\n',
    );
  });

  it('says that a paused run will be resumed, and who asked for that, to the letter [RL-4, RL-14, NX-322]', () => {
    const comment = formatFinalComment({ ...report, status: 'needs_input' }, japanese);
    expect(comment).toMatchInlineSnapshot(`
      "タスクを一時停止しました。後で再開されます。

      ### 📊 実行統計

      - LLM呼び出し回数: 4
      - ツール呼び出し回数: 7
      - トークン（入力 / 出力）: 1200 / 80
      - 所要時間: 1分5秒
      - GitHub へのリクエスト: 12 (うちキャッシュから 3)"
    `);
    expect(formatFinalComment({ ...report, status: 'needs_input' }, english)).toMatch(/^The task is paused /);
    const asked = { ...report, status: 'needs_input', askedBy: 'mona' } as const;
    expect(formatFinalComment(asked, english)).toMatch(/^`mona` paused the task\./);
    expect(formatFinalComment(asked, japanese)).toMatch(/^`mona` から一時停止の指示を受けたため、/);
  });

  it('says that a run was stopped, to the letter and with its model calls [RL-7, RL-14]', () => {
    const stopped: FinalReport = { ...report, status: 'stopped', stopCause: 'unassigned' };
    expect(formatFinalComment(stopped, japanese)).toMatchInlineSnapshot(`
      "## ⛔ タスク停止

      コーディングエージェントのアサインが解除されたため、タスクを停止しました。

      **停止時刻:** 2026-03-04 05:06:07 UTC
      **LLM対話回数:** 4

      タスクを再開する場合は、コーディングエージェントを再度アサインし、
      \`coding agent\` ラベルを付与してください。

      ### 📊 実行統計

      - LLM呼び出し回数: 4
      - ツール呼び出し回数: 7
      - トークン（入力 / 出力）: 1200 / 80
      - 所要時間: 1分5秒
      - GitHub へのリクエスト: 12 (うちキャッシュから 3)"
    `);
    expect(formatFinalComment(stopped, english)).toMatch(/no longer assigned[\s\S]*\*\*Model calls:\*\* 4/);
    const told = formatFinalComment({ ...stopped, stopCause: null }, japanese);
    expect(told).toContain('\n停止の指示を受けたため、タスクを停止しました。');
    const named = { ...stopped, stopCause: null, askedBy: '@alice' };
    expect(formatFinalComment(named, japanese)).toContain('`@alice` から停止の指示を受けたため、');
    expect(formatFinalComment(named, english)).toContain('`@alice` stopped the task.');
  });

  it('tells of a plan how far it came, in the words of the specification [NX-125, RL-4, RL-7]', () => {
    const done: PlanningFact = {
      ...{ type: 'action', task_id: 'task_1', state: 'succeeded', attempt: 1, detail: '', evidence: [] },
    };
    const plan = readPlanningState([
      planFact('task_1', 'task_2'),
      { type: 'phase', phase: 'execution' },
      done,
    ]);
    const stopped = { ...report, plan, status: 'stopped', stopCause: 'unassigned' } as const;
    expect(formatFinalComment(stopped, japanese)).toContain(
      '**停止時刻:** 2026-03-04 05:06:07 UTC\n**処理状況:** 1/2 完了\n**フェーズ:** execution\n**LLM対話回数:** 4\n',
    );
    const paused = { ...report, plan, status: 'needs_input' } as const;
    expect(formatFinalComment(paused, japanese)).toMatch(
      /^## ⏸️ タスク一時停止\n\nタスクを一時停止しました。後で再開されます。\n\n\*終了時刻: .*\*\n\n### 📊 実行統計\n\n- LLM呼び出し回数: 4\n- 完了アクション数: 1\/2\n/,
    );
    expect(formatFinalComment(paused, english)).toMatch(
      /^## ⏸️ Task paused[\s\S]*- Actions completed: 1\/2\n/,
    );
    const partial = { ...report, plan, status: 'partial' } as const;
    expect(formatFinalComment(partial, japanese)).toMatch(/^## ⚠️ タスク一部完了\n/);
    expect(formatFinalComment(partial, english)).toMatch(/^## ⚠️ Task partly done\n/);
  });

  it('says when it ended in the one time zone of the thread, by name, whatever the outcome [NX-55]', () => {
    const tokyo = { timeZone: 'Asia/Tokyo' };
    for (const locale of [japanese, english])
      for (const status of ['completed', 'failed', 'stopped'] as const)
        expect(formatFinalComment({ ...report, status }, { ...locale, ...tokyo })).toContain(
          '2026-03-04 14:06:07 GMT+9',
        );
  });

  it('says nothing of requests that nobody counts, as on a platform of one’s own', () => {
    const uncounted = { ...report, requests: { made: 0, unchanged: 0 } };
    expect(formatFinalComment(uncounted, english)).not.toContain('Requests');
    expect(formatFinalComment(report, english)).toContain(
      'Requests to GitHub: 12 (3 answered from the cache)',
    );
  });
});
