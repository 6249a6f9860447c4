import { describe, expect, it } from 'vitest';
import { sampleNeeds } from '../../test/phase-setup.ts';
import {
  type CollectionOutcome,
  formatAssumptionNotice,
  formatCollectionEndNotice,
  formatCollectionStartNotice,
} from './format-notices.ts';

const now = new Date('2026-11-22T10:00:00Z');
const redactOutgoing = (text: string) => text;
const ja = { locale: 'ja', redactOutgoing, timeZone: 'UTC', now } as const;
const en = { locale: 'en', redactOutgoing, timeZone: 'Asia/Tokyo', now } as const;
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
const outcome: CollectionOutcome = {
  needs: sampleNeeds,
  results: [toResult('a', 'collected'), toResult('b', 'assumed'), toResult('c', 'failed')],
  assumptions: [assumption],
  gaps: [{ info_id: 'c', description: '決済サービスのAPIキー', impact: '', reason: '推測不可: 認証情報' }],
};

describe('the notices of collecting and assuming', () => {
  it('list what will be collected [E8] [PP-31]', () => {
    expect(formatCollectionStartNotice(sampleNeeds, ja)).toMatchInlineSnapshot(`
      "## 🗂️ 情報収集を開始します

      **収集予定の情報**:
      - 合計の関数
      - テストの配置
      - 決済サービスのAPIキー
      - コーディング規約"
    `);
    expect(formatCollectionStartNotice(sampleNeeds, en)).toMatchInlineSnapshot(`
      "## 🗂️ Collecting information

      **To be collected**:
      - 合計の関数
      - テストの配置
      - 決済サービスのAPIキー
      - コーディング規約"
    `);
  });

  it('tell of an assumption, why it was made and what would refute it [E8] [PP-31]', () => {
    expect(formatAssumptionNotice(assumption, { ...ja, needs: sampleNeeds })).toMatchInlineSnapshot(`
      "## ⚠️ 情報を推測しました

      - **A1** テストの配置: ソースの隣 (理由: 一般的な配置)
        - 反証: testディレクトリの存在

      *推測の確信度: 60%*

      誤っている場合は \`/reject A1 理由\` とコメントしてください。"
    `);
    expect(formatAssumptionNotice(assumption, { ...en, needs: sampleNeeds })).toMatchInlineSnapshot(`
      "## ⚠️ Information assumed

      - **A1** テストの配置: ソースの隣 (reason: 一般的な配置)
        - would be refuted by: testディレクトリの存在

      *Confidence: 60%*

      If this is wrong, comment \`/reject A1 <reason>\`."
    `);
  });

  it("end with the seed's text, to the letter, and in English [PP-34] [PP-31] [E18]", () => {
    expect(formatCollectionEndNotice(outcome, ja)).toMatchInlineSnapshot(`
      "## 📚 情報収集が完了しました

      **収集した情報**:
      - ✅ 合計の関数
      - ⚠️ テストの配置 (推測)
      - ❌ 決済サービスのAPIキー (未取得、推測不可: 認証情報)
      - ❌ コーディング規約 (未取得)

      **推測事項**:
      以下の情報は収集できなかったため、推測で補完しました：
      - テストの配置: ソースの隣 (理由: 一般的な配置)
        - A1、確信度: 60%、反証: testディレクトリの存在

      誤っている場合は \`/reject A1 理由\` のようにコメントしてください。

      計画フェーズに移行します...

      *完了時刻: 2026-11-22 10:00:00 UTC*"
    `);
    expect(formatCollectionEndNotice(outcome, en)).toMatchInlineSnapshot(`
      "## 📚 Information collected

      **Collected**:
      - ✅ 合計の関数
      - ⚠️ テストの配置 (assumed)
      - ❌ 決済サービスのAPIキー (not found; 推測不可: 認証情報)
      - ❌ コーディング規約 (not found)

      **Assumptions**:
      I couldn't find the following, so I assumed it:
      - テストの配置: ソースの隣 (reason: 一般的な配置)
        - A1, confidence: 60%, would be refuted by: testディレクトリの存在

      If one is wrong, comment for example \`/reject A1 <reason>\`.

      Moving on to planning...

      *Finished: 2026-11-22 19:00:00 GMT+9*"
    `);
  });

  it('promise a plan only where one follows [NX-52]', () => {
    const work = { next: 'work' } as const;
    expect(formatCollectionEndNotice(outcome, { ...ja, ...work })).toContain('\n\n作業を開始します...\n');
    expect(formatCollectionEndNotice(outcome, { ...en, ...work })).toContain('\n\nStarting the work...\n');
  });

  it('say that collecting was not necessary, and why [E9] [PP-34]', () => {
    const needs = {
      required_information: [],
      collection_order: [],
      skip_collection: true,
      skip_reason: '簡単',
    };
    expect(
      formatCollectionEndNotice({ needs, results: [], assumptions: [], gaps: [] }, ja),
    ).toMatchInlineSnapshot(`
      "## 📚 情報収集が完了しました

      **収集した情報**:
      収集は不要と判断しました（簡単）

      計画フェーズに移行します...

      *完了時刻: 2026-11-22 10:00:00 UTC*"
    `);
  });

  it('give as an example the label of an assumption that stands [E8]', () => {
    const standing = { ...outcome, assumptions: [{ ...assumption, label: 'A2' }] };
    expect(formatCollectionEndNotice(standing, ja)).toContain('`/reject A2 理由`');
    expect(formatCollectionEndNotice(standing, en)).toContain('`/reject A2 <reason>`');
    expect(formatCollectionEndNotice(standing, ja)).not.toContain('A1');
  });
});
