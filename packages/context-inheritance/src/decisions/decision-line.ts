import { z } from 'zod';
import type { DecisionSource, KeyDecision } from './decision.ts';

/** A decision in `summaries.jsonl`. Lines of earlier programs have `text`, `source_comment_id` and `source_sha256` at most. */
const decisionSchema = z.object({
  text: z.string().trim().min(1),
  id: z.string().nullish(),
  subject: z.string().nullish(),
  source: z.enum(['comment', 'thread', 'agent']).nullish(),
  source_comment_id: z.string().nullish(),
  source_sha256: z.string().nullish(),
  source_thread: z.string().nullish(),
  trusted: z.boolean().nullish(),
  replaces: z.array(z.string()).nullish(),
  paths: z.array(z.string()).nullish(),
  quote: z.string().nullish(),
  run: z.string().nullish(),
  decided_at: z.string().nullish(),
});

type ParsedLine = z.output<typeof decisionSchema>;

/** JSON of a decision, as it is written to `summaries.jsonl`. */
export type DecisionLine = { readonly [Name in keyof ParsedLine]-?: Exclude<ParsedLine[Name], undefined> };

/**
 * Reads the decisions of a line. An entry that is no decision is left out and counted, so that it does not cost the others.
 * A decision without an id gets one of its run and its place, and so does one whose id another entry has.
 */
export function parseDecisionLines(
  entries: readonly unknown[],
  { idPrefix }: { readonly idPrefix: string },
): { readonly decisions: readonly KeyDecision[]; readonly skipped: number } {
  const parsed = entries.map((entry) => decisionSchema.safeParse(entry).data ?? null);
  const ids = new Set<string>();
  const decisions = parsed.flatMap((line, index) => {
    if (line === null) return [];
    const decision = toDecision(line, `${idPrefix}-${index + 1}`);
    const id = ids.has(decision.id) ? `${decision.id}+${index + 1}` : decision.id;
    ids.add(id);
    return [{ ...decision, id }];
  });
  return { decisions, skipped: entries.length - decisions.length };
}

function toDecision(line: ParsedLine, ownId: string): KeyDecision {
  const { text, id, subject, replaces, paths, quote, run, decided_at: decidedAt } = line;
  const source = toSource(line);
  return {
    id: id ?? ownId,
    text,
    subject: subject?.trim() || null,
    source,
    // An earlier program kept a decision with a comment only if its author was trusted.
    isTrusted: source.kind !== 'agent' && (line.trusted ?? line.source == null),
    replaces: replaces ?? [],
    evidence: paths && paths.length > 0 ? { paths, quote: quote ?? null } : null,
    origin: run && isTime(decidedAt) ? { runUuid: run, decidedAt } : null,
  };
}

function isTime(text: string | null | undefined): text is string {
  return text != null && !Number.isNaN(Date.parse(text));
}

function toSource({
  source,
  source_comment_id: commentId,
  source_sha256: hash,
  source_thread: thread,
}: ParsedLine): DecisionSource {
  const sha256 = hash ?? null;
  if (source === 'thread') return { kind: 'thread', sha256 };
  if (commentId && source !== 'agent')
    return { kind: 'comment', commentId, sha256, ...(thread ? { thread } : {}) };
  return { kind: 'agent' };
}

/** Formats a decision for `summaries.jsonl`. */
export function toDecisionLine({
  source,
  evidence,
  origin,
  isTrusted,
  ...decision
}: KeyDecision): DecisionLine {
  return {
    ...{ id: decision.id, text: decision.text, subject: decision.subject },
    source: source.kind,
    source_comment_id: source.kind === 'comment' ? source.commentId : null,
    source_sha256: source.kind === 'agent' ? null : source.sha256,
    source_thread: source.kind === 'comment' ? (source.thread ?? null) : null,
    trusted: isTrusted,
    replaces: [...decision.replaces],
    paths: [...(evidence?.paths ?? [])],
    quote: evidence?.quote ?? null,
    run: origin?.runUuid ?? null,
    decided_at: origin?.decidedAt ?? null,
  };
}
