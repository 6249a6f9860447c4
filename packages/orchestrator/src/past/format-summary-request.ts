import type { Locale } from '@agent/text';
import { finalSummaryTexts } from './final-summary-texts.ts';
import type { SourceComment } from './list-source-comments.ts';

/** More would be cut when it is inherited. */
const maxSummaryChars = 6_000;

export interface SummaryRequestParts {
  /** What was said and done in the run. */
  readonly record: string;
  readonly comments: readonly SourceComment[];
  readonly locale: Locale;
  /** Marks where the record begins and ends; nobody who wrote in it knew of it. */
  readonly nonce: string;
}

/** The request for a run's final summary: what is to be written, and beneath it, as data, what it is written from. */
export function formatSummaryRequest({ record, comments, locale, nonce }: SummaryRequestParts): {
  readonly instructions: string;
  readonly prompt: string;
} {
  const texts = finalSummaryTexts[locale];
  // Whatever the record says, no line in it has the code.
  const disarm = (text: string): string => text.replaceAll(nonce, '');
  const fence = (title: string, lines: readonly string[]): string =>
    [`--- ${nonce} ${title} ---`, ...lines.map(disarm), `--- ${nonce} / ---`].join('\n');
  const listed = comments.map(
    ({ id, authority, text }) => `[id: ${JSON.stringify(id)}, ${texts[authority]}]\n${text}`,
  );
  return {
    instructions: texts.instructions({ nonce, maxChars: maxSummaryChars }),
    prompt: [
      fence(texts.record, [record]),
      fence(texts.comments, listed.length === 0 ? [texts.noComments] : listed),
    ].join('\n\n'),
  };
}
