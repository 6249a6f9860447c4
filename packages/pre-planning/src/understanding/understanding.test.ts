import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { understandingSchema } from './understanding.ts';

const answer = {
  phase: 'request_understanding',
  request_understanding: {
    task_type: 'bug_fix',
    primary_goal: 'Take the discount once',
    expected_deliverables: ['a corrected function', 'a test'],
    constraints: ['no new dependency'],
    scope: { in_scope: ['prices'], out_of_scope: ['taxes'] },
    understanding_confidence: 0.85,
    ambiguities: [
      {
        item: 'rounding',
        possible_interpretations: ['per line', 'per total'],
        selected_interpretation: 'per total',
        reasoning: 'the existing test does so',
      },
    ],
  },
} as const;

function understand(fields: object) {
  return understandingSchema.parse({ phase: 'request_understanding', request_understanding: fields })
    .request_understanding;
}

describe('understandingSchema', () => {
  it('takes an answer in the form of the seed as it is [PP-11]', () => {
    expect(understandingSchema.parse(answer)).toEqual(answer);
  });

  it('ignores keys that it does not know and does not ask for the phase to be repeated [PP-11]', () => {
    const { phase: _, ...rest } = answer;
    expect(understandingSchema.parse({ ...rest, thoughts: 'hm' })).toEqual(answer);
  });

  it('fills what a model left out with empty text, empty lists and no confidence [PP-11]', () => {
    expect(understand({ task_type: ' docs ', constraints: null, scope: null, ambiguities: [{}] })).toEqual({
      task_type: 'docs',
      primary_goal: '',
      expected_deliverables: [],
      constraints: [],
      scope: { in_scope: [], out_of_scope: [] },
      understanding_confidence: 0,
      ambiguities: [{ item: '', possible_interpretations: [], selected_interpretation: '', reasoning: '' }],
    });
  });

  it('takes a single item where a list was asked for [PP-11]', () => {
    const understood = understand({ expected_deliverables: 'a test', constraints: ['', null, 3] });
    expect(understood.expected_deliverables).toEqual(['a test']);
    expect(understood.constraints).toEqual(['3']);
  });

  it.each([
    [0.7, 0.7],
    ['0.7', 0.7],
    [' 85 % ', 0.85],
    ['.5', 0.5],
    [85, 1],
    [-1, 0],
    ['high', 0],
    ['', 0],
    [null, 0],
    [true, 0],
    [[0.9], 0],
    [Number.NaN, 0],
  ])('reads the confidence %j as %d [PP-11]', (written, confidence) => {
    expect(understand({ understanding_confidence: written }).understanding_confidence).toBe(confidence);
  });

  it('gives a confidence from 0 to 1 whatever a model writes [PP-11]', () => {
    fc.assert(
      fc.property(fc.anything(), (written) => {
        const { understanding_confidence: confidence } = understand({ understanding_confidence: written });
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each([
    ['nothing', null],
    ['text', 'I understand.'],
    ['another phase', { ...answer, phase: 'information_planning' }],
    ['no understanding', { phase: 'request_understanding' }],
    ['a list as the goal', { request_understanding: { primary_goal: ['a'] } }],
  ])('refuses %s [PP-11]', (_, written) => {
    expect(understandingSchema.safeParse(written).success).toBe(false);
  });
});
