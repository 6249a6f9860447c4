import { isFailedSummary } from '@agent/run-store';
import { z } from 'zod';
import { findKeyDecisions } from './find-key-decisions.ts';
import type { KeyDecision } from './model.ts';

const lineSchema = z.object({
  summary: z.string(),
  key_decisions: z
    .array(
      z.object({
        text: z.string(),
        source_comment_id: z.string().nullish(),
        source_sha256: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** The newest summary of a run that is of use. */
export interface UsableSummary {
  readonly text: string;
  readonly keyDecisions: readonly KeyDecision[];
  /** Lines after it that could not be read or said nothing. */
  readonly skippedLines: number;
}

/**
 * Finds the last usable line of `summaries.jsonl`; null when there is none. Decisions that the line names are taken
 * with their sources; a line of an earlier program has none, so they are read from its text. @see decision C11
 */
export function parseSummaries(lines: readonly string[]): UsableSummary | null {
  for (const [skippedLines, line] of lines.toReversed().entries()) {
    const parsed = parseLine(line);
    if (parsed === null) continue;
    const text = parsed.summary.trim();
    const named = parsed.key_decisions;
    return { text, keyDecisions: named ? named.map(toDecision) : findKeyDecisions(text), skippedLines };
  }
  return null;
}

function parseLine(line: string): z.infer<typeof lineSchema> | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(json);
  const isUsable =
    parsed.success && parsed.data.summary.trim() !== '' && !isFailedSummary(parsed.data.summary);
  return isUsable ? parsed.data : null;
}

function toDecision(named: NonNullable<z.infer<typeof lineSchema>['key_decisions']>[number]): KeyDecision {
  const { text, source_comment_id: commentId, source_sha256: sha256 } = named;
  return { text: text.trim(), source: commentId ? { commentId, sha256: sha256 ?? null } : null };
}
