import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuestion, understandingSchema } from './understanding.ts';

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
    expect(
      understand({ task_type: ' docs ', constraints: null, scope: null, ambiguities: [{}, null] }),
    ).toEqual({
      task_type: 'docs',
      primary_goal: '',
      expected_deliverables: [],
      constraints: [],
      scope: { in_scope: [], out_of_scope: [] },
      understanding_confidence: 0,
      ambiguities: [],
    });
  });

  it('takes an answer without its frame as soon as there is a goal [PP-11]', () => {
    const parsed = understandingSchema.parse({ primary_goal: 'Mend it' });
    expect(parsed.request_understanding).toMatchObject({ primary_goal: 'Mend it', task_type: '' });
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
    ['８０％', 0.8],
    ['０．８', 0.8],
    ['0.8 (high)', 0.8],
    ['80% sure', 0.8],
    ['80 percent', 0.8],
    ['約80%', 0.8],
    ['0,85', 0.85],
    ['8/10', 0.8],
    ['1/0', 0],
    ['high (0.9)', 0.9],
    ['4 out of 5', 0],
    ['not 100%', 0],
    [85, 0.85],
    ['30', 0.3],
    [1.7, 1],
    [1_000, 1],
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

  const empty = { possible_interpretations: [], selected_interpretation: '', reasoning: '' };
  const whole = answer.request_understanding;
  it.each([
    ['a text as scope', { scope: 'backend' }, { scope: { in_scope: ['backend'], out_of_scope: [] } }],
    ['a list as scope', { scope: ['a', 'b'] }, { scope: { in_scope: ['a', 'b'], out_of_scope: [] } }],
    ['half a scope', { scope: { out_of_scope: 'UI' } }, { scope: { in_scope: [], out_of_scope: ['UI'] } }],
    [
      'a scope in its own words',
      { scope: { backend: 'yes' } },
      { scope: { in_scope: ['backend: yes'], out_of_scope: [] } },
    ],
    ['texts as ambiguities', { ambiguities: ['unclear'] }, { ambiguities: [{ ...empty, item: 'unclear' }] }],
    ['one text as ambiguities', { ambiguities: 'unclear' }, { ambiguities: [{ ...empty, item: 'unclear' }] }],
    ['a word for no ambiguities', { ambiguities: 'none' }, { ambiguities: [] }],
    [
      'a list of such words',
      { ambiguities: ['なし'], constraints: ['特になし'] },
      { ambiguities: [], constraints: [] },
    ],
    [
      'one ambiguity with lists for texts',
      { ambiguities: { item: ['a', 'b'], reasoning: ['c'] } },
      { ambiguities: [{ ...empty, item: 'a, b', reasoning: 'c' }] },
    ],
    [
      'objects as deliverables',
      { expected_deliverables: [{ name: 'a test' }, { name: 'code', file: 'a.ts' }] },
      { expected_deliverables: ['a test', 'code, file: a.ts'] },
    ],
    ['a list as the goal', { primary_goal: ['a'] }, { primary_goal: 'a' }],
    ['dots where texts belong', { task_type: '…', constraints: ['...'] }, { task_type: '', constraints: [] }],
  ])('takes %s, and keeps the rest of the answer [PP-11]', (_, written, read) => {
    expect(understand({ ...whole, ...written })).toEqual({ ...whole, ...read });
  });

  it.each([null, 'understanding', 'information_planning', 3])(
    'does not look at the phase: %j [PP-11]',
    (phase) => {
      expect(understandingSchema.parse({ ...answer, phase })).toEqual(answer);
    },
  );

  it('reads any answer that has the frame [PP-11]', () => {
    const fields = Object.keys(whole).map((key) => [key, fc.anything()] as const);
    fc.assert(
      fc.property(fc.record(Object.fromEntries(fields)), (written) => {
        const read = understand(written);
        expect(understand(read)).toEqual(read);
      }),
    );
  });

  it.each([
    ['nothing', null],
    ['text', 'I understand.'],
    ['no understanding', { phase: 'request_understanding' }],
  ])('refuses %s [PP-11]', (_, written) => {
    expect(understandingSchema.safeParse(written).success).toBe(false);
  });
});

describe('isQuestion', () => {
  it.each([
    ...['question', 'Question', 'a question about the code', 'question / investigation', 'Q&A', 'inquiry'],
    ...['質問', '質問への回答', '問い合わせ', '質問、調査'],
  ])('recognizes %j', (kind) => {
    expect(isQuestion({ task_type: kind })).toBe(true);
  });

  it.each([
    '',
    'unknown',
    'bug fix',
    'documentation',
    'bug fix or question',
    'new feature, question',
    'バグ修正',
  ])('takes %j for another kind of task', (kind) => {
    expect(isQuestion({ task_type: kind })).toBe(false);
  });
});
