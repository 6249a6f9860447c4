import { z } from 'zod';
import { parseJson } from '../json/parse-json.ts';

// Field by field: what is odd in one of them costs none of the others.
const text = z.string().catch('');
const parts = z
  .union([
    z.string().transform((whole) => [{ text: whole }]),
    z.array(z.object({ text }).catch({ text: '' })),
  ])
  .catch([]);
/** JSON as text, as it should be, or as the object itself. */
const callArguments = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? ''),
  );
const call = z.object({ arguments: callArguments }).catch({ arguments: '' });

const item = z.object({ type: text, content: parts, summary: parts, arguments: callArguments });
const message = z.object({
  content: parts,
  tool_calls: z.array(z.object({ function: call }).catch({ function: { arguments: '' } })).catch([]),
  function_call: call,
  reasoning_content: text,
  reasoning: text,
});
const body = z.object({
  output: z.array(item.nullable().catch(null)).catch([]),
  choices: z.array(z.object({ message }).nullable().catch(null)).catch([]),
});

/**
 * What a model said, looked for in an endpoint's answer as it came: for servers whose answers lack fields that the
 * SDK asks for, hold them in another form, or put the answer where thoughts belong. Messages come before calls, calls
 * before thoughts; nothing is empty.
 */
export function findSaidTexts(response: unknown): readonly string[] {
  const { success, data } = body.safeParse(typeof response === 'string' ? parseJson(response) : response);
  if (!success) return [];
  const items = data.output.filter((one) => one !== null);
  const thoughts = items.filter(({ type }) => type === 'reasoning');
  const said = data.choices[0]?.message;
  return [
    ...items.filter(({ type }) => type !== 'reasoning').map(({ content }) => join(content)),
    join(said?.content),
    ...items.map((one) => one.arguments),
    ...(said?.tool_calls ?? []).map((one) => one.function.arguments),
    said?.function_call.arguments ?? '',
    said?.reasoning_content ?? '',
    said?.reasoning ?? '',
    ...thoughts.flatMap(({ content, summary }) => [join(content), join(summary)]),
  ].filter((one) => one.trim() !== '');
}

function join(said: z.infer<typeof parts> | undefined): string {
  return (said ?? []).map((part) => part.text).join('');
}
