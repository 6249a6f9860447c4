import type { ModelMessage } from 'ai';

/** More of a broken answer would only invite to repeat it. */
const maxAnswerChars = 4_000;

/** The question again, with the answer that could not be read and what was wrong with it. */
export function describeProblem(
  question: string,
  { answer, problem }: { readonly answer: string; readonly problem: string },
): readonly ModelMessage[] {
  const shown = answer.trim() === '' ? '(nothing)' : answer.slice(0, maxAnswerChars).toWellFormed();
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: shown },
    {
      role: 'user',
      content: `Your answer could not be read: ${problem}. Answer again with the one JSON object that was asked for: no text before or after it, no code fence, every bracket closed. Keep it short.`,
    },
  ];
}
