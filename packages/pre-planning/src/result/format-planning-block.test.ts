import { describe, expect, it } from 'vitest';
import { understandingAnswer } from '../../test/sample-request.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import { formatPlanningBlock } from './format-planning-block.ts';
import type { PrePlanningResult } from './pre-planning-result.ts';

const result: PrePlanningResult = {
  request_understanding: understandingSchema.parse(understandingAnswer).request_understanding,
  collected_information: { codebase: { info_1: 'const total = 1;' } },
  assumptions: [
    {
      label: 'A1',
      info_id: 'info_2',
      assumed_value: 'ソースの隣',
      reasoning: '一般的な配置',
      confidence: 0.6,
      refuted_by: '',
    },
  ],
  information_gaps: [{ info_id: 'info_3', description: 'APIキー', impact: '接続', reason: '推測不可' }],
  recommendations_for_planning: ['A1を確認してください'],
};

describe('formatPlanningBlock', () => {
  it('tells planning all of it, what was collected apart from what was assumed [PP-30] [PP-26]', () => {
    expect(formatPlanningBlock(result)).toMatchInlineSnapshot(`
      "## What was found out before planning

      ### Understanding of the request (confidence 85%)
      - kind of task: バグ修正
      - primary goal: 合計に数量を反映する
      - expected deliverables: 修正したコード; テスト
      - constraints: none
      - in scope: バックエンド
      - out of scope: UI

      ### Collected information
      <material from="codebase, info_1">
      const total = 1;
      </material>

      ### Assumptions (not verified)
      - A1 info_2: ソースの隣 (confidence 60%; 一般的な配置)

      ### Information gaps
      - APIキー (impact: 接続; 推測不可)

      ### Recommendations
      - A1を確認してください"
    `);
  });

  it('says where there is nothing [PP-30]', () => {
    const empty = {
      ...result,
      collected_information: {},
      assumptions: [],
      information_gaps: [],
      recommendations_for_planning: [],
    };
    expect(formatPlanningBlock(empty).match(/\nnone/g)).toHaveLength(4);
  });

  it('shares the room out: short items whole, long ones cut, never more than there is [PP-30]', () => {
    const collected_information = {
      codebase: { a: 'short', b: 'b'.repeat(50_000), c: 'c'.repeat(50_000) },
    };
    const block = formatPlanningBlock({ ...result, collected_information }, { maxChars: 2_005 });
    expect(block).toContain('\nshort\n');
    expect(block.match(/b{999}…/)).not.toBeNull();
    expect(block.length).toBeLessThan(3_500);
  });
});
