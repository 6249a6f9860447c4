import { type FinalSummary, finalSummarySchema } from '@agent/context-inheritance';

const mostDecisions = 10;
const maxDecisionChars = 500;
/** A summary is a page or two; what is far longer is none, and is not read on the main thread. */
const maxAnswerChars = 262_144;

/**
 * Reads a model's final summary: an object of JSON, alone, in a block of code, or with words around it. Null for
 * anything else, which must not be kept as if it were a summary.
 */
export function parseFinalSummary(text: string): FinalSummary | null {
  if (text.length > maxAnswerChars) return null;
  for (const candidate of listCandidates(text)) {
    const parsed = finalSummarySchema.safeParse(parseOrNull(candidate));
    if (parsed.success) return fit(parsed.data);
  }
  return null;
}

function listCandidates(text: string): readonly string[] {
  const block = findBlock(text);
  const object = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...(block === undefined ? [] : [block]), object];
}

/** What stands in the first block of code without a language, or in JSON. */
function findBlock(text: string): string | undefined {
  const lines = text.split('\n');
  const opening = lines.findIndex((line) => /```(?:json)?$/.test(line.trimEnd()));
  const closing = lines.findIndex((line, index) => index > opening && line.trimStart().startsWith('```'));
  return opening === -1 || closing === -1 ? undefined : lines.slice(opening + 1, closing).join('\n');
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fit({ summary, key_decisions }: FinalSummary): FinalSummary {
  const isShort = ({ text }: FinalSummary['key_decisions'][number]): boolean =>
    text.length <= maxDecisionChars;
  return { summary, key_decisions: key_decisions.filter(isShort).slice(0, mostDecisions) };
}
