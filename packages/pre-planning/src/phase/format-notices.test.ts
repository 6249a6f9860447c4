import { describe, expect, it } from 'vitest';
import { understandingAnswer } from '../../test/sample-request.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import { formatStartNotice, formatUnderstandingNotice } from './format-notices.ts';

const understanding = understandingSchema.parse(understandingAnswer).request_understanding;
const now = new Date('2026-11-22T10:00:00Z');
const redactOutgoing = (text: string) => text;
const ja = { locale: 'ja', redactOutgoing, timeZone: 'UTC', now } as const;
const en = { locale: 'en', redactOutgoing, timeZone: 'Asia/Tokyo', now } as const;
const threshold = 0.7;
describe('the notice at the start', () => {
  it("is the seed's, to the letter, and in English [PP-32] [PP-31] [E18]", () => {
    expect(formatStartNotice(ja)).toMatchInlineSnapshot(`
      "## 🔍 タスク分析を開始します

      タスク内容を理解し、計画に必要な情報を収集しています...

      *開始時刻: 2026-11-22 10:00:00 UTC*"
    `);
    expect(formatStartNotice(en)).toMatchInlineSnapshot(`
      "## 🔍 Task analysis started

      Reading the task and collecting the information needed for planning...

      *Started: 2026-11-22 19:00:00 GMT+9*"
    `);
  });
});

describe('the notice of what was understood', () => {
  it("is the seed's, to the letter, and in English [PP-33] [PP-31]", () => {
    expect(formatUnderstandingNotice(understanding, { ...ja, threshold })).toMatchInlineSnapshot(`
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
    expect(formatUnderstandingNotice(understanding, { ...en, threshold })).toMatchInlineSnapshot(`
      "## 📋 Task understood

      **Task type**: バグ修正

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

  it('shows no confidence as the threshold that it misses, and says where there is nothing [PP-33] [E18]', () => {
    const least = {
      ...understanding,
      task_type: 'unknown',
      expected_deliverables: [],
      scope: { in_scope: [], out_of_scope: [] },
      understanding_confidence: 0.6999,
    };
    expect(formatUnderstandingNotice(least, { ...ja, threshold })).toMatchInlineSnapshot(`
      "## 📋 タスク内容の理解が完了しました

      **タスク種別**: 不明

      **主な目標**:
      合計に数量を反映する

      **期待される成果物**:
      - なし

      **スコープ**:
      - 対象: なし
      - 対象外: なし

      *理解の確信度: 69%*"
    `);
  });
});
