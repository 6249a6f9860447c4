import type { ModelMessage } from 'ai';

const tokensPerMessage = 4;
const tokensPerFile = 1_500;

/** Tokens of a message: its texts, the calls it makes, the results it carries. */
export function countMessageTokens(message: ModelMessage, countTokens: (text: string) => number): number {
  const { content } = message;
  if (typeof content === 'string') return tokensPerMessage + countTokens(content);
  return content.reduce((sum, part) => sum + countPartTokens(part, countTokens), tokensPerMessage);
}

function countPartTokens(part: { readonly type: string }, countTokens: (text: string) => number): number {
  // A picture costs by its size on the screen, not by its bytes.
  if (part.type === 'file' || part.type === 'image') return tokensPerFile;
  return countTokens(JSON.stringify(part));
}
