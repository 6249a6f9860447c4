import { z } from 'zod';

const part = z.object({ type: z.string().nullish(), text: z.string().nullish() });
const parts = z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(part)]).nullish();
const body = z.object({
  output: z
    .array(z.object({ type: z.string().nullish(), content: parts, arguments: z.string().nullish() }))
    .nullish(),
  choices: z
    .array(
      z.object({
        message: z
          .object({
            content: parts,
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

/**
 * What a model said, looked for in an endpoint's answer as it came: for servers whose answers lack fields that the
 * SDK asks for, or put the answer where thoughts belong. Messages come before calls, calls before thoughts.
 */
export function findSaidText(response: unknown): string {
  const parsed = body.safeParse(typeof response === 'string' ? parse(response) : response);
  if (!parsed.success) return '';
  const { output, choices } = parsed.data;
  const items = output ?? [];
  const isThought = ({ type }: { readonly type?: string | null | undefined }) => type === 'reasoning';
  const message = choices?.[0]?.message;
  const found = [
    ...items.filter((item) => !isThought(item)).map(({ content }) => join(content)),
    join(message?.content),
    ...items.map((item) => item.arguments ?? ''),
    message?.reasoning_content ?? message?.reasoning ?? '',
    ...items.filter(isThought).map(({ content }) => join(content)),
  ];
  return found.find((text) => text.trim() !== '') ?? '';
}

function join(content: z.infer<typeof parts>): string {
  return (content ?? []).map(({ text }) => text ?? '').join('');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
