import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeReasoning, splitReasoning } from './remove-reasoning.ts';

const marks: readonly (readonly [string, string])[] = [
  ...(
    [
      ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reflection', 'analysis', 'scratchpad'],
      ...['rationale', 'seed:think', 'mm:think', 'antml:thinking', 'inner_monologue', 'chain_of_thought'],
      ...['THINK', 'thinking_process'],
    ] as const
  ).map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[THINK]', '[/THINK]'],
  ['[thinking]', '[/thinking]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<｜begin▁of▁thinking｜>', '<｜end▁of▁thinking｜>'],
  ['<|think|>', '<|/think|>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<think type="deep">', '</think >'],
  ...['antThinking', 'ant-thinking', 'longcat_think', 'cot', '思考', '思考过程'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['< think >', '</ think >'],
  ['＜think＞', '＜/think＞'],
  ['<|thinking_start|>', '<|thinking_end|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<unused94>', '<unused95>'],
];

describe('removeReasoning', () => {
  it.each([
    '```thinking\nsecret\n```\n\nAnswer.',
    'final<|message|>Answer.',
    '\uFEFF<think>secret</think>Answer.',
    '<|im_start|>assistant\n<think>secret</think>Answer.<|im_end|>',
    '<think>secret</think><|begin_of_box|>Answer.<|end_of_box|>',
    'Answer.<｜end▁of▁sentence｜>',
  ])('removes fences of reasoning and marks of templates: %j', (text) => {
    expect(removeReasoning(text)).toBe('Answer.');
    for (let end = 1; end < text.length; end += 1)
      expect(removeReasoning(text.slice(0, end), { isWhole: false })).not.toMatch(/secret/);
  });

  it.each(marks)('removes what stands between %s and %s', (open, close) => {
    for (const [text, answer] of [
      [`${open}secret plan${close}Answer.`, 'Answer.'],
      [`${open}\nsecret\nplan\n${close}\n\nAnswer.`, 'Answer.'],
      [`Answer.\n${open}\nsecret plan\n${close}\nThe rest.`, 'Answer.\nThe rest.'],
      [`${open}secret${close}\n${open}plan${close}\nAnswer.`, 'Answer.'],
      [`${open}\n${open}\nsecret plan\n${close}${close}\n\n${close}\n\nAnswer.`, 'Answer.'],
      [`${open}secret ${open}deep${close} plan${close}Answer.`, 'Answer.'],
      [`${open}They write \`${close}\` and ${open} in prose.${close}Answer.`, 'Answer.'],
      [`secret plan${close}Answer.`, 'Answer.'],
      [`secret plan\n${close}\n\nAnswer.`, 'Answer.'],
      [`secret\n\`\`\`\nplan\n\`\`\`\n${close}\nAnswer.`, 'Answer.'],
      [`${open}secret plan${close}Answer.${close}`, 'Answer.'],
      [`Sure. ${open}secret plan here${close} Answer.`, 'Sure. Answer.'],
      [`secret plan${close}`, ''],
    ] as const)
      expect(removeReasoning(text), text).toBe(answer);
  });

  it.each(marks.filter(([open]) => open !== '[thinking]'))(
    'removes what follows %s without an end',
    (open) => {
      expect(removeReasoning(`${open}secret plan`)).toBe('');
      expect(removeReasoning(`Answer.\n${open}\nsecret plan`)).toBe('Answer.');
    },
  );

  it.each(marks)('leaves %s and %s where the text quotes them', (mark, close) => {
    const open = mark.trim();
    for (const text of [
      `The model writes \`${open}\` and then \`${close}\`.`,
      `\`\`\`\n${open}\na plan\n${close}\n\`\`\`\nis an example.`,
      `- A list:\n  ~~~md\n  ${close}\n  ~~~\n- The end.`,
      `It ends with "${close}" and begins with "${open}".`,
      JSON.stringify({ goal: `Remove ${open}a b c${close} from it` }),
    ].filter((one) => !one.includes('\\"')))
      expect(removeReasoning(text), text).toBe(text);
  });

  it.each([
    'The parser now drops </think> marks.',
    'It strips <think> and </think> tags.',
    'The model wraps it in <think>...</think> blocks.',
    'a < b and b > c',
    'Returns Array<Thought> and Map<string, Reasoning>.',
    '[Analysis] The bug is in total.js.',
    '1. [Thinking](https://example.com) about it\n- [ ] Reasoning',
    'Analysis shows that the answer is 4.',
    'Here is my thought process: first the sum, then the tax.',
    'The header is `<|channel|>final<|message|>`, as before.',
  ])('leaves honest prose as it is: %s', (text) => {
    expect(removeReasoning(text)).toBe(text);
  });

  it.each([
    [
      '<|channel|>analysis<|message|>Plan.<|end|><|start|>assistant<|channel|>final<|message|>Answer.<|return|>',
      'Answer.',
    ],
    ['Plan.<|end|><|start|>assistant<|channel|>final<|message|>Answer.', 'Answer.'],
    ['<|channel|>final <|constrain|>json<|message|>{"a":1}', '{"a":1}'],
    ['<|channel|>analysis<|message|>Plan', ''],
    ['Answer.<|start|>assistant<|channel|>analysis<|message|>Plan', 'Answer.'],
    ['analysisWe plan.assistantfinalAnswer.', 'Answer.'],
    ['analysisWe plan.assistantcommentary to=functions.a json{}assistantfinalAnswer.', 'Answer.'],
    ['analysisWe plan', ''],
    ['Here is my thought process: plan.\n\nHere is my response: Answer.', 'Answer.'],
    ['<think>\nplan\n</think>\n<answer>\nAnswer.\n</answer>', 'Answer.'],
    ['<think>plan</think><response>Answer.', 'Answer.'],
    [
      '<|begin_of_thought|>plan<|end_of_thought|>\n<|begin_of_solution|>\nAnswer.\n<|end_of_solution|>',
      'Answer.',
    ],
    ['<|START_THINKING|>plan<|END_THINKING|><|START_RESPONSE|>Answer.<|END_RESPONSE|>', 'Answer.'],
  ])('takes the answer out of its channel or frame: %s', (text, answer) => {
    expect(removeReasoning(text)).toBe(answer);
  });

  it('shows nothing of reasoning while a text grows', () => {
    const texts = [
      ...marks.map(([open, close]) => `Hi.\n${open}\nsecret plan\n${close}\nAnswer.`),
      ...marks.map(([open, close]) => `${open}secret ${open}plan${close} secret${close}Answer.`),
      '<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>Answer.',
      'analysisSecret plan.assistantfinalAnswer.',
      'Here is my thought process: secret plan.\n\nHere is my response: Answer.',
    ].filter((text) => !text.includes('[thinking]'));
    for (const text of texts) {
      for (let length = 1; length <= text.length; length += 1) {
        const shown = removeReasoning(text.slice(0, length), { isWhole: false });
        expect(
          'Hi.\nAnswer.'.startsWith(shown) || 'Answer.'.startsWith(shown),
          `${text.slice(0, length)} → ${shown}`,
        ).toBe(true);
      }
    }
  });

  it('shows a growing answer without marks as far as it has come', () => {
    const text = 'In `a.ts`, x < y and [see](b).\nDone.';
    const shown = Array.from(text, (_, index) =>
      removeReasoning(text.slice(0, index + 1), { isWhole: false }),
    );
    expect(shown.filter((one) => !text.startsWith(one))).toEqual([]);
    expect(shown.at(-1)).toBe(text);
  });

  it('waits for the closing mark where answers are known to start inside of reasoning', () => {
    const options = { isWhole: false, startsInside: true };
    expect(removeReasoning('secret plan', options)).toBe('');
    expect(removeReasoning('secret plan\n</think>\nAns', options)).toBe('Ans');
    expect(removeReasoning('Answer.', { startsInside: true })).toBe('Answer.');
    expect(splitReasoning('secret\n</think>\nAnswer.').startsInside).toBe(true);
    expect(splitReasoning('<think>secret</think>\nAnswer.').startsInside).toBe(false);
  });

  it('takes time in proportion to the text, and never throws', { tags: ['full'] }, () => {
    const pieces = [
      ...[
        '<think>',
        '</think>',
        '[THINK]',
        '[/THINK]',
        '<|channel|>',
        '<|channel|>final<|message|>',
        '<',
        '`',
        '"',
      ],
      ...[
        '\n',
        '```\n',
        '~~~a\n',
        ' ',
        'a',
        '<think></think>',
        ' <think>\n',
        ' </think> ',
        '<|',
        'assistantfinal',
      ],
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      const before = process.cpuUsage().user;
      removeReasoning(text);
      removeReasoning(text, { isWhole: false });
      // Far above what it takes and far below what quadratic work would.
      expect(process.cpuUsage(undefined).user - before, piece).toBeLessThan(5_000_000);
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 100 }), (written) => {
        const once = removeReasoning(written.join(''));
        expect(once).toBe(once.trim());
      }),
    );
  });
});
