import { z } from 'zod';
import { shortenUuid } from '../format-values.ts';
import { type ReadTreeFile, verifyEvidence } from './check-evidence.ts';
import type { DecisionSource, InheritedDecision, KeyDecision } from './decision.ts';

const name = z.union([z.string(), z.number().transform(String)]);
const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text?.trim() || null);
const names = z
  .union([name.transform((one) => [one]), z.array(z.unknown()).transform((all) => all.flatMap(toName))])
  .nullish()
  .catch(null)
  .transform((all) => (all ?? []).map((one) => one.trim()).filter((one) => one !== ''));
const optionalName = name.nullish().catch(null);

/** A decision as a model writes it. Small models leave fields out, or give the text alone. */
export const answeredDecisionSchema = z.union([
  z.string().transform((text) => ({
    ...{ text, subject: null, source: null, quote: null },
    replaces: [],
    paths: [],
  })),
  z
    .object({
      text: z.string(),
      subject: optionalText,
      /** Id of a comment, `thread`, or `agent`. */
      source: optionalName,
      source_comment_id: optionalName,
      replaces: names,
      paths: names,
      quote: optionalText,
    })
    .transform(({ source, source_comment_id: commentId, ...decision }) => ({
      ...decision,
      source: source ?? commentId ?? null,
    })),
]);

function toName(value: unknown): readonly string[] {
  const parsed = name.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

/** A decision as a model wrote it, parsed. */
export type AnsweredDecision = z.output<typeof answeredDecisionSchema>;

/** Name of the source that stands for title and text of the issue. */
export const threadSource = 'thread';

/** A text that a decision can be based on: the model was shown all of it. */
export interface SourceText {
  /** SHA-256 of the text as the model was shown it, in hexadecimal. */
  readonly sha256: string | null;
  /** True if the author of this revision is a trusted user. */
  readonly isTrusted: boolean;
  /** Key of the thread of the comment if it is not the one that runs are filed under. Default null. */
  readonly thread?: string | null | undefined;
}

/** Facts that the decisions of a model's answer are checked against. */
export interface DecisionContext {
  /** The run that decided. */
  readonly runUuid: string;
  /** By the id of the comment; `thread` for title and text of the issue. */
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly inherited: readonly InheritedDecision[];
  /** Null where the tree cannot be read: then evidence is not kept. */
  readonly readFile: ReadTreeFile | null;
}

/**
 * Gives the decisions of a model's answer the authority of their sources. A decision that names no source, or an unknown one, is the
 * agent's. Evidence is kept as far as it holds in the tree.
 */
export async function toKeyDecisions(
  answered: readonly AnsweredDecision[],
  { runUuid, sources, inherited, readFile }: DecisionContext,
): Promise<readonly KeyDecision[]> {
  const named = answered.filter(({ text }) => text.trim() !== '');
  const replaceable = new Map(inherited.map((decision) => [decision.id, decision]));
  return Promise.all(
    named.map(async ({ text, subject, source: name, replaces, paths, quote }, index) => {
      const { source, isTrusted } = findSource(name, sources);
      const mayReplace = (id: string): boolean => {
        const older = replaceable.get(id);
        return older !== undefined && (isTrusted || !older.isTrusted);
      };
      const evidence = readFile === null ? null : await verifyEvidence({ paths, quote }, readFile);
      return {
        ...{ id: `${shortenUuid(runUuid)}-${index + 1}`, text: text.trim(), subject, source, isTrusted },
        ...{ replaces: [...new Set(replaces)].filter(mayReplace), evidence, origin: null },
      };
    }),
  );
}

function findSource(
  name: string | null,
  sources: DecisionContext['sources'],
): { readonly source: DecisionSource; readonly isTrusted: boolean } {
  const text = name === null ? undefined : sources.get(name);
  if (name === null || text === undefined) return { source: { kind: 'agent' }, isTrusted: false };
  const { sha256, isTrusted, thread = null } = text;
  return name === threadSource
    ? { source: { kind: 'thread', sha256 }, isTrusted }
    : {
        source: { kind: 'comment', commentId: name, sha256, ...(thread === null ? {} : { thread }) },
        isTrusted,
      };
}
