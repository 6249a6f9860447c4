import type { TokenCounter } from '@agent/text';
import { asSchema, type ModelMessage } from 'ai';
import type { RunTools } from '../model.ts';

const tokensPerMessage = 4;
const tokensPerPart = 8;
/** A picture costs by its size on the screen, not by its bytes. */
const tokensPerFile = 1_500;

/** Counts the tokens of a message: its texts, the calls it makes, the results it carries. */
export function countMessageTokens({ content }: ModelMessage, count: TokenCounter): number {
  if (typeof content === 'string') return tokensPerMessage + count(content);
  return content.reduce((sum, part) => sum + countPartTokens(part, count), tokensPerMessage);
}

type Part = Exclude<ModelMessage['content'], string>[number];

export function countPartTokens(part: Part, count: TokenCounter): number {
  switch (part.type) {
    case 'text':
      return count(part.text);
    case 'file':
    case 'image':
      return tokensPerFile;
    case 'tool-call':
      return tokensPerPart + count(part.toolName) + count(JSON.stringify(part.input) ?? '');
    case 'tool-result': {
      const { output } = part;
      if (output.type === 'text' || output.type === 'error-text') return tokensPerPart + count(output.value);
      return tokensPerPart + count(JSON.stringify('value' in output ? output.value : output) ?? '');
    }
    default:
      return tokensPerPart + count(JSON.stringify(part));
  }
}

/** Counts the descriptions and schemas of tools, which are part of each request. */
export async function countToolTokens(tools: RunTools, count: TokenCounter): Promise<number> {
  const schemas = Object.entries(tools).map(async ([name, { description, inputSchema }]) => {
    const { jsonSchema } = asSchema(inputSchema);
    return count(JSON.stringify({ name, description, parameters: await jsonSchema }));
  });
  return (await Promise.all(schemas)).reduce((sum, tokens) => sum + tokens, 0);
}
