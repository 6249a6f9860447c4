import type { FaultyModelRequest, ModelFault, ModelReaction } from '@agent/simulators/model';

/** A model and its endpoint, at fault in one way. */
export interface BrokenAnswer {
  readonly fault: string;
  /** What the model means by all that it says. */
  readonly goal: string;
  /** `count` is the number of answers that the model gave before, refusals left aside. */
  readonly react: (mode: FaultyModelRequest['mode'], count: number) => ModelReaction;
}

type React = BrokenAnswer['react'];
type Spoil = (good: string, index: number) => React;

const say = (text: string, fault?: ModelFault): ModelReaction => ({
  kind: 'say',
  text,
  ...(fault === undefined ? {} : { fault }),
});
const refuse = (status: number): ModelReaction => ({ kind: 'refuse', status });
const always =
  (change: (good: string, index: number) => string, fault?: ModelFault): Spoil =>
  (good, index) =>
  () =>
    say(change(good, index), fault);

/** One field is written in another form; the rest of the answer is good. */
const sloppy = (fields: (understanding: Understanding) => object): Spoil =>
  always((good) => {
    const { phase, request_understanding: understanding } = JSON.parse(good);
    const { phase: other = phase, ...changed } = fields(understanding) as { readonly phase?: unknown };
    return JSON.stringify({ phase: other, request_understanding: { ...understanding, ...changed } });
  });

const prose = 'The request is about totals. I would look at the function first, and then mend it.';
const form =
  '{"phase":"request_understanding","request_understanding":{"task_type":"…","primary_goal":"…","expected_deliverables":["…"],"understanding_confidence":0.85}}';
const unquote = (good: string) => good.replace(/"(\w+)":/g, '$1:');

/** The faults that are known of real servers and models. */
const faults: Readonly<Record<string, Spoil>> = {
  'fenced, the schema ignored': always((good) => `\`\`\`json\n${good}\n\`\`\``),
  'prose around it': always((good) => `Sure, here it is:\n${good}\nAnything else?`),
  'thoughts before it': always((good) => `<think>First {"task_type": "no"}, hm.</think>\n${good}`),
  'thoughts without their beginning': always((good) => `So { what } now.\n</think>\n\n${good}`),
  'broken off': always(
    (good, index) => good.slice(0, Math.ceil((good.length * (index + 3)) / 14)),
    'cut-off',
  ),
  'numbers as text': always((good) => good.replace('0.85', '"85%"')),
  'confidence in words or over 1': always((good, index) =>
    good.replace('0.85', index % 2 ? '"high"' : '1.7'),
  ),
  'single quotes': always((good) => good.replaceAll('"', "'")),
  'commas too many': always((good) => good.replace(/([}\]])/g, ',$1')),
  'comments in it': always((good) => good.replace('{', '{ // so\n/* or so */ ')),
  'keys without quotes': always(unquote),
  'no frame around it': always((good) => JSON.stringify(JSON.parse(good).request_understanding)),
  'lists as one text': always((good) => good.replace(/\["([^"]*)"\]/g, '"$1"')),
  'no annotations': always((good) => good, 'no-annotations'),
  'reasoning first': always((good) => good, 'reasoning-first'),
  'the answer in reasoning_content': (good) => (mode) =>
    mode === 'format' ? refuse(404) : say(good, 'reasoning-content'),
  'prose, then the answer': (good) => (_, count) => say(count === 0 ? prose : good),
  'only the tool, broken off': (good) => (mode) => (mode === 'tool' ? say(good.slice(0, -2)) : refuse(400)),
  'no answer at all, then one': (good) => (_, count) =>
    count === 0 ? { kind: 'raw', body: '{"nope":1}' } : say(good),
  'the scope as text': sloppy(({ scope }) => ({ scope: scope.in_scope.join('; ') })),
  'the scope as a list': sloppy(({ scope }) => ({ scope: scope.in_scope })),
  'ambiguities as texts': sloppy(({ primary_goal: goal }) => ({ ambiguities: [`what "${goal}" is`] })),
  'a word for no ambiguities': sloppy(() => ({ ambiguities: 'none' })),
  'deliverables as objects': sloppy(({ expected_deliverables: parts }) => ({
    expected_deliverables: parts.map((name) => ({ name })),
  })),
  'a list as the reasoning': sloppy(({ ambiguities }) => ({
    ambiguities: ambiguities.map((one) => ({ ...one, reasoning: [one.reasoning] })),
  })),
  'no phase': sloppy(() => ({ phase: null })),
  'another phase': sloppy(() => ({ phase: 'understanding' })),
  'confidence in full width, or with words': sloppy(({ primary_goal: goal }) => ({
    understanding_confidence: goal.includes('「') ? '０．８５' : '0.85 (high)',
  })),
  'a tag of thoughts in a text': sloppy(({ task_type: kind }) => ({ task_type: `${kind} of <think> tags` })),
  'the form behind it': always((good) => `${good}\n\nThe form was:\n${form}`),
  'the form alone, then the answer': (good) => (_, count) => say(count === 0 ? form : good),
  'a JSON string': always((good) => JSON.stringify(good)),
  'a call as text': always((good) => `<tool_call>{"name":"answer","arguments":${good}}</tool_call>`),
  'only the tool, an object in it': (good) => (mode) =>
    mode === 'tool' ? say(good, 'object-arguments') : refuse(400),
  'prose beside reasoning_content': (good) => (mode) =>
    mode === 'format' ? refuse(404) : say(good, 'prose-beside'),
  'patterns with single backslashes': always((good) => good.replaceAll('\\\\', '\\')),
  'nothing but prose': () => () => say(prose),
};

const variants = 10;

/** Models at fault: each fault with ten answers, always the same ones. */
export function makeBrokenAnswers(): readonly BrokenAnswer[] {
  return Object.entries(faults).flatMap(([fault, spoil]) =>
    Array.from({ length: variants }, (_, index) => {
      const good = makeAnswer(index);
      return { fault, goal: good.primary_goal, react: spoil(toText(good), index) };
    }),
  );
}

/** What a plan for a search holds. */
const pattern = String.raw`total\(\w+\s*\d\.`;

/** A good answer; every second one in Japanese, each longer than the one before. */
function makeAnswer(index: number) {
  const [kind, goal, part] =
    index % 2 === 0
      ? (['bug fix', 'Count "quantities"', 'a test'] as const)
      : (['バグ修正', '合計に「数量」を反映する', 'テスト'] as const);
  const parts = Array.from({ length: index + 1 }, (_, number) => `${part} ${number + 1}`);
  return {
    task_type: kind,
    primary_goal: `${goal} (${index}): ${pattern}`,
    expected_deliverables: parts,
    constraints: [part],
    scope: { in_scope: parts, out_of_scope: [] },
    understanding_confidence: 0.85,
    ambiguities: [
      { item: goal, possible_interpretations: parts, selected_interpretation: part, reasoning: kind },
    ],
  };
}

type Understanding = ReturnType<typeof makeAnswer>;

function toText(understanding: Understanding): string {
  return JSON.stringify({ phase: 'request_understanding', request_understanding: understanding });
}
