import { describe, expect, it } from 'vitest';
import { sampleNeeds } from '../../test/phase-setup.ts';
import { understandingAnswer } from '../../test/sample-request.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import {
  formatAssumptionNotice,
  formatCollectionEndNotice,
  formatCollectionStartNotice,
  formatStartNotice,
  formatUnderstandingNotice,
} from './format-notices.ts';

const understanding = understandingSchema.parse(understandingAnswer).request_understanding;
const now = new Date('2026-11-22T10:00:00Z');
const ja = { locale: 'ja', timeZone: 'UTC', now } as const;
const en = { locale: 'en', timeZone: 'Asia/Tokyo', now } as const;
const assumption = {
  label: 'A1',
  info_id: 'b',
  assumed_value: 'ソースの隣',
  reasoning: '一般的な配置',
  confidence: 0.6,
  refuted_by: 'testディレクトリの存在',
};
const toResult = (id: string, status: 'collected' | 'failed' | 'assumed') => ({
  info_id: id,
  status,
  collected_data: null,
  assumption_made: null,
  tool_calls_used: 1,
  timestamp: '',
});
const outcome = {
  needs: sampleNeeds,
  results: [toResult('a', 'collected'), toResult('b', 'assumed'), toResult('c', 'failed')],
  assumptions: [assumption],
};

describe('the notice at the start', () => {
  it("is the seed's, to the letter, and in English [PP-32] [PP-31] [E18]", () => {
    expect(formatStartNotice(ja)).toMatchInlineSnapshot(`
      "## 🔍 タスク分析を開始します

      タスク内容を理解し、計画に必要な情報を収集しています...

      *開始時刻: 2026-11-22 10:00:00*"
    `);
    expect(formatStartNotice(en)).toMatchInlineSnapshot(`
      "## 🔍 Task Analysis Started

      Understanding the task and collecting what planning needs...

      *Started: 2026-11-22 19:00:00*"
    `);
  });
});

describe('the notice of what was understood', () => {
  it("is the seed's, to the letter, and in English [PP-33] [PP-31]", () => {
    expect(formatUnderstandingNotice(understanding, 'ja')).toMatchInlineSnapshot(`
      "## 📋 タスク内容の理解が完了しました

      **タスク種別**: バグ修正

      **主な目標**:
      合計に数量を反映する

      **期待される成果物**:
      - 修正したコード
      - テスト

      **スコープ**:
      - 対象: バックエンド
      - 対象外: UI

      *理解の確信度: 85%*"
    `);
    expect(formatUnderstandingNotice(understanding, 'en')).toMatchInlineSnapshot(`
      "## 📋 Task Understood

      **Kind of task**: バグ修正

      **Primary goal**:
      合計に数量を反映する

      **Expected deliverables**:
      - 修正したコード
      - テスト

      **Scope**:
      - In scope: バックエンド
      - Out of scope: UI

      *Confidence: 85%*"
    `);
  });

  it('rounds the confidence, and says where there is nothing [PP-33] [E18]', () => {
    const least = {
      ...understanding,
      task_type: 'unknown',
      expected_deliverables: [],
      scope: { in_scope: [], out_of_scope: [] },
      understanding_confidence: 0.666,
    };
    expect(formatUnderstandingNotice(least, 'ja')).toMatchInlineSnapshot(`
      "## 📋 タスク内容の理解が完了しました

      **タスク種別**: 不明

      **主な目標**:
      合計に数量を反映する

      **期待される成果物**:
      - なし

      **スコープ**:
      - 対象: なし
      - 対象外: なし

      *理解の確信度: 67%*"
    `);
  });

  it('calls nobody, closes nothing and opens no HTML, whatever a model writes', () => {
    const notice = formatUnderstandingNotice(
      {
        ...understanding,
        primary_goal: 'fixes #12 for @mona\n## Heading\n<img src=x> ![x](http://a) <!-- hidden',
        task_type: 'a\r\nb',
      },
      'ja',
    );
    expect(notice).toContain(
      'fixes #\u200b12 for @\u200bmona ## Heading &lt;img src=x> !\\[x](http://a) &lt;!-- hidden',
    );
    expect(notice).toContain('**タスク種別**: a b\n');
  });
});

describe('the notices of collecting and assuming', () => {
  it('list what will be collected [E8] [PP-31]', () => {
    expect(formatCollectionStartNotice(sampleNeeds, 'ja')).toMatchInlineSnapshot(`
      "## 🗂️ 情報収集を開始します

      **収集予定の情報**:
      - 合計の関数
      - テストの配置
      - 決済サービスのAPIキー
      - コーディング規約"
    `);
    expect(formatCollectionStartNotice(sampleNeeds, 'en')).toMatchInlineSnapshot(`
      "## 🗂️ Collecting Information

      **To be collected**:
      - 合計の関数
      - テストの配置
      - 決済サービスのAPIキー
      - コーディング規約"
    `);
  });

  it('tell of an assumption, why it was made and what would refute it [E8] [PP-31]', () => {
    expect(formatAssumptionNotice(assumption, { needs: sampleNeeds, locale: 'ja' })).toMatchInlineSnapshot(`
      "## ⚠️ 情報を推測しました

      - **A1** テストの配置: ソースの隣 (理由: 一般的な配置)
        - 反証: testディレクトリの存在

      *推測の確信度: 60%*

      誤っている場合は \`/reject A1 理由\` とコメントしてください。"
    `);
    expect(formatAssumptionNotice(assumption, { needs: sampleNeeds, locale: 'en' })).toMatchInlineSnapshot(`
      "## ⚠️ Information Assumed

      - **A1** テストの配置: ソースの隣 (reason: 一般的な配置)
        - would be refuted by: testディレクトリの存在

      *Confidence: 60%*

      If this is wrong, comment \`/reject A1 reason\`."
    `);
  });

  it("end with the seed's text, to the letter, and in English [PP-34] [PP-31] [E18]", () => {
    expect(formatCollectionEndNotice(outcome, ja)).toMatchInlineSnapshot(`
      "## 📚 情報収集が完了しました

      **収集した情報**:
      - ✅ 合計の関数
      - ⚠️ テストの配置 (推測)
      - ❌ 決済サービスのAPIキー (未取得)
      - ❌ コーディング規約 (未取得)

      **推測事項**:
      以下の情報は収集できなかったため、推測で補完しました：
      - テストの配置: ソースの隣 (理由: 一般的な配置)
        - A1、確信度: 60%、反証: testディレクトリの存在

      誤っている場合は \`/reject A1 理由\` のようにコメントしてください。

      計画フェーズに移行します...

      *完了時刻: 2026-11-22 10:00:00*"
    `);
    expect(formatCollectionEndNotice(outcome, en)).toMatchInlineSnapshot(`
      "## 📚 Information Collected

      **Collected**:
      - ✅ 合計の関数
      - ⚠️ テストの配置 (assumed)
      - ❌ 決済サービスのAPIキー (not found)
      - ❌ コーディング規約 (not found)

      **Assumptions**:
      The following could not be collected and was assumed:
      - テストの配置: ソースの隣 (reason: 一般的な配置)
        - A1, confidence: 60%, would be refuted by: testディレクトリの存在

      If one is wrong, comment for example \`/reject A1 reason\`.

      Going on to planning...

      *Finished: 2026-11-22 19:00:00*"
    `);
  });

  it('say that collecting was not necessary, and why [E9] [PP-34]', () => {
    const needs = {
      required_information: [],
      collection_order: [],
      skip_collection: true,
      skip_reason: '簡単',
    };
    expect(formatCollectionEndNotice({ needs, results: [], assumptions: [] }, ja)).toMatchInlineSnapshot(`
      "## 📚 情報収集が完了しました

      **収集した情報**:
      収集は不要と判断しました（簡単）

      計画フェーズに移行します...

      *完了時刻: 2026-11-22 10:00:00*"
    `);
  });
});
