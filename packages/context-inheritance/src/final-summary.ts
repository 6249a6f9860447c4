import { z } from 'zod';
import type { CurrentComments } from './model.ts';

/** Small models leave the source out, or give the text alone. */
const decisionSchema = z.union([
  z.string().transform((text) => ({ text, source_comment_id: null })),
  z.object({
    text: z.string(),
    /** The comment that the decision rests on. */
    source_comment_id: z
      .union([z.string(), z.number().transform(String)])
      .nullish()
      .transform((id) => id ?? null),
  }),
]);

/**
 * The answer that a model is asked for at a run's end. A decision in another form is left out, so that it does not cost
 * the summary. @see seed 002 §4.4.2, decision C11
 *
 * @example
 * finalSummarySchema.parse({ summary: 'Rounded once.', key_decisions: ['round at the end'] });
 * // { summary: 'Rounded once.', key_decisions: [{ text: 'round at the end', source_comment_id: null }] }
 */
export const finalSummarySchema = z.object({
  summary: z.string().trim().min(1),
  key_decisions: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((decisions) => (decisions ?? []).flatMap((one) => decisionSchema.safeParse(one).data ?? [])),
});

/** A model's final summary, parsed. */
export type FinalSummary = z.infer<typeof finalSummarySchema>;

/**
 * The fields of the last line of `summaries.jsonl` that mark key decisions: each with the SHA-256 of the comment it
 * rests on, so that a later run notices when that comment changed. A comment that is not on the thread is none.
 *
 * @example
 * await finalSummary.append({ text: answer.summary, fields: toKeyDecisionFields(answer, comments), usage }, { now });
 */
export function toKeyDecisionFields({ key_decisions }: FinalSummary, comments: CurrentComments) {
  const named = key_decisions.filter(({ text }) => text.trim() !== '');
  return {
    key_decisions: named.map(({ text, source_comment_id: id }) => {
      const sha256 = id === null ? undefined : comments.get(id);
      const source = sha256 === undefined ? null : id;
      return { text: text.trim(), source_comment_id: source, source_sha256: sha256 ?? null };
    }),
  };
}
