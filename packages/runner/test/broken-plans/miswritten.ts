import { samplePlan } from '../sample-plan.ts';
import type { BrokenPlan } from './broken-plan.ts';

const good = JSON.stringify(samplePlan);
const spread = JSON.stringify(samplePlan, null, 2);

/** The good plan, written as models write JSON. */
const readable: Readonly<Record<string, string>> = {
  'a fence': `\`\`\`json\n${spread}\n\`\`\``,
  'a fence without an end': `\`\`\`\n${spread}`,
  'prose around it': `Sure, here is the plan:\n${good}\nShall I begin?`,
  'thoughts before it': `<think>First {"action_plan": {"actions": []}}, hm.</think>\n${good}`,
  'thoughts that only end': `so { that }\n</think>\n${good}`,
  'thoughts that never end': `<think>${good}`,
  'the plan twice': `${good}\n${good}`,
  'a correction': `{"phase":"planning","action_plan":{"actions":[]}} No, wait:\n${good}`,
  'a string of JSON': JSON.stringify(good),
  'a string of a string': JSON.stringify(JSON.stringify(good)),
  'single quotes': good.replaceAll('"', "'"),
  'curly quotes': good.replaceAll(/"([^"]*)"/g, '“$1”'),
  'commas too many': spread.replace(/\n( *)([}\]])/g, ',\n$1$2'),
  'comments in it': spread.replace('{', '{ // the plan\n/* in short */'),
  'keys without quotes': good.replace(/"(\w+)":/g, '$1:'),
  'Python’s words': good.replaceAll('null', 'None'),
  'full-width brackets': good
    .replaceAll('{', '｛')
    .replaceAll('}', '｝')
    .replaceAll('[', '［')
    .replaceAll(']', '］'),
  'line ends of another system': spread.replaceAll('\n', '\r\n'),
  'a mark of byte order before it': `\ufeff${good}`,
  'code before it': `For \`if (x) {\` I plan:\n${good}\nand close it with \`}\`.`,
  'a tag of a call': `<tool_call>${JSON.stringify({ name: 'plan', arguments: samplePlan })}</tool_call>`,
};

const cuts = 48;

/** The good plan, broken off at places spread over it. */
const brokenOff = Array.from({ length: cuts }, (_, index): BrokenPlan => {
  const at = Math.ceil((good.length * (index + 1)) / (cuts + 2));
  return { name: `broken off after ${at} characters`, text: good.slice(0, at), expected: 'any' };
});

/** Every 37th sign of the plan gone, or another one in its place. */
const damaged = [',', '"', '}', ']', '\\', ':', '{', '\u0000', '\ud800', 'あ'].flatMap((sign) =>
  ['in place of', 'before'].map((way): BrokenPlan => {
    const spoil = (found: string, index: number) =>
      index % 37 === 36 ? `${sign}${way === 'before' ? found : ''}` : found;
    const text = [...good].map(spoil).join('');
    return { name: `${JSON.stringify(sign)} ${way} every 37th sign`, text, expected: 'any' };
  }),
);

/** What takes a careless reader long, or deep. */
const hostile = [
  '{',
  '[',
  '{"a":',
  '[[{"action_plan":',
  '<think>',
  '```json\n{',
  '"',
  '\\"',
  '{"action_plan":{"actions":[{},',
  '｛',
].map(
  (part): BrokenPlan => ({
    name: `${JSON.stringify(part)} over and over`,
    text: part.repeat(Math.ceil(100_000 / part.length)),
    expected: 'bad',
  }),
);

/** Plans that are good, and not written as JSON is. */
export const miswritten: readonly BrokenPlan[] = [
  ...Object.entries(readable).map(([name, text]) => ({ name, text, expected: 'readable' as const })),
  ...brokenOff,
  ...damaged,
  ...hostile,
];
