import type { Locale } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { makeNeeds } from '../../test/collection-setup.ts';
import { makeFailedPlan } from '../collection/information-needs.ts';
import { makeMinimalUnderstanding } from '../understanding/understanding.ts';
import { makeResult, type ResultMaterial } from './make-result.ts';

const material: ResultMaterial = {
  understanding: makeMinimalUnderstanding({ title: 'a' }),
  understandingThreshold: 0,
  needs: makeNeeds([]),
  omitted: 0,
  results: [],
  assumptions: [],
  gaps: [],
  constraints: [],
};
const recommend = (fields: Partial<ResultMaterial>, locale: Locale = 'en') =>
  makeResult({ ...material, ...fields }, locale).recommendations_for_planning;

describe('makeResult', () => {
  it('recommends to check assumptions that are less sure than 70 percent, and no others [E20] [PP-29]', () => {
    const assume = (label: string, confidence: number) => ({
      label,
      info_id: label,
      assumed_value: 'x',
      reasoning: '',
      confidence,
      refuted_by: '',
    });
    expect(recommend({ assumptions: [assume('A1', 0.7), assume('A2', 0.69), assume('A3', 0.71)] })).toEqual([
      'Check assumption A2 ("A2": "x") early',
    ]);
  });

  it('recommends to look around first where collecting could not be planned [E13] [E20]', () => {
    expect(recommend({ needs: makeFailedPlan('en') })).toEqual([
      'Nothing was collected, because planning the collection failed: start the plan by reading the relevant code and configuration',
    ]);
    expect(recommend({ needs: makeFailedPlan('ja') }, 'ja')).toEqual([
      '情報収集の計画を生成できなかったため、何も収集していません。最初に関連するコードと設定を調べる手順を計画に含めてください',
    ]);
  });

  it('recommends nothing where nothing is open [E20]', () => {
    const needs = { ...makeNeeds([]), skip_reason: 'one line' };
    expect(recommend({ needs })).toEqual([]);
  });

  it('says how much was left out of the plan [E20]', () => {
    expect(recommend({ omitted: 3 })).toEqual([
      '3 more item(s) were over the limit or could not be read, and were not collected: look them up when needed',
    ]);
  });

  it('never shows a confidence below the threshold as the threshold [E18] [E20]', () => {
    const understanding = { ...material.understanding, understanding_confidence: 0.6999 };
    expect(recommend({ understanding, understandingThreshold: 0.7 })).toEqual([
      'The request was understood with low confidence (69%): start the plan by checking what was asked',
    ]);
  });
});
