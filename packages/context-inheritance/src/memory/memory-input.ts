import {
  checkOptions,
  type Expectation,
  expected,
  expectNullable,
  isObject,
  show,
} from '@agent/text/options';
import { isInsideTree } from '../decisions/check-evidence.ts';
import type { DecisionSource } from '../decisions/decision.ts';

/** A decision that a run leaves to later runs. */
export interface DecisionInput {
  /** One decision, up to 2,000 characters. */
  readonly text: string;
  /**
   * Origin: a comment, the issue itself (`thread`), or the work (`agent`). Default `agent`. `sha256` is that of the
   * comment's body that the model was shown; default: the hash that `begin` received for this comment.
   */
  readonly source?:
    | { readonly comment: string; readonly sha256?: string | null | undefined }
    | 'thread'
    | 'agent'
    | undefined;
  /** True if a trusted user wrote the source. Default false: later runs get the decision as information, never as an instruction. */
  readonly trusted?: boolean | undefined;
  /** Question that it settles, such as `rounding`. Open decisions of trusted users on one subject are reported as a conflict. */
  readonly subject?: string | null | undefined;
  /** Ids of decisions that it replaces, from `run.inherited.decisions`. */
  readonly replaces?: string | readonly string[] | undefined;
  /** Files that it is about, relative to the root of the repository. It is stale once one of them is gone. */
  readonly paths?: readonly string[] | undefined;
  /** One line of one of these files. It is stale once the line is gone. */
  readonly quote?: string | null | undefined;
}

/** Results of a run. */
export interface RunInput {
  /** Summary of the work, for later runs; default: what was saved before, or none. */
  readonly summary?: string | null | undefined;
  readonly decisions?: readonly DecisionInput[] | undefined;
}

/** A decision as it was given, checked. */
export interface CheckedDecision {
  readonly text: string;
  readonly source: DecisionSource;
  readonly isTrusted: boolean;
  readonly subject: string | null;
  readonly replaces: readonly string[];
  readonly paths: readonly string[];
  readonly quote: string | null;
}

/** Facts that decisions are checked against. */
export interface KnownSources {
  /** SHA-256 of comments by id; null where they are not known. */
  readonly comments: ReadonlyMap<string, string> | null;
  /** SHA-256 of title and text of the issue; null where it is not known. */
  readonly request: string | null;
  /** Ids that a decision can replace. */
  readonly decisionIds: ReadonlySet<string>;
}

const longestText = 2_000;
const longestName = 300;

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most;
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => isText(one, longestName));

/** SHA-256 in hexadecimal. */
export const sha256: Expectation = {
  isMet: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  text: 'a SHA-256 of 64 hexadecimal digits in lower case',
};

const inputExpectations: Readonly<Record<keyof RunInput, Expectation>> = {
  summary: expectNullable({ isMet: (value) => typeof value === 'string', text: 'a text' }),
  decisions: { isMet: Array.isArray, text: 'an array of decisions, such as [{ text: "Round once" }]' },
};

const decisionExpectations: Readonly<Record<keyof DecisionInput, Expectation>> = {
  text: { isMet: (value) => isText(value, longestText), text: `a text of 1 to ${longestText} characters` },
  source: {
    isMet: (value) => value === 'thread' || value === 'agent' || isObject(value),
    text: '"thread", "agent" or a comment, such as { comment: "1025" }',
  },
  trusted: expected.flag,
  subject: expectNullable({
    isMet: (value) => isText(value, longestName),
    text: 'a text of 1 to 300 characters',
  }),
  replaces: {
    isMet: (value) => isText(value, longestName) || isTexts(value),
    text: 'an id of a decision, or an array of ids',
  },
  paths: {
    isMet: (value) => isTexts(value) && value.every(isInsideTree),
    text: 'an array of paths relative to the root of the repository, such as ["src/sum.ts"]',
  },
  quote: expectNullable({
    isMet: (value) => isText(value, longestName) && !/[\r\n]/.test(value.trim()),
    text: 'one line of one of the paths, up to 300 characters',
  }),
};

const commentExpectations: Readonly<Record<'comment' | 'sha256', Expectation>> = {
  comment: {
    isMet: (value) => isText(value, longestName),
    text: 'the id of a comment as a text, such as "1025"',
  },
  sha256: expectNullable(sha256),
};

/**
 * Checks the results of a run.
 * @throws TypeError that names the field, its value, and what is expected
 */
export function checkRunInput(
  input: unknown,
  known: KnownSources,
): { readonly summary: string | null; readonly decisions: readonly CheckedDecision[] } {
  checkOptions('results', input, inputExpectations);
  const { summary, decisions = [] } = input as RunInput;
  return {
    summary: summary?.trim() || null,
    // `Array.from` visits holes, too.
    decisions: Array.from(decisions, (decision, index) =>
      checkDecision(`decisions[${index}]`, decision, known),
    ),
  };
}

function checkDecision(name: string, input: unknown, known: KnownSources): CheckedDecision {
  checkOptions(name, input, decisionExpectations, ['text']);
  const {
    text,
    source = 'agent',
    trusted = false,
    subject,
    replaces = [],
    paths = [],
    quote,
  } = input as DecisionInput;
  if (trusted && source === 'agent')
    throw new TypeError(
      `${name}.trusted must be false for a decision of the agent. Name its source: "thread", or { comment: "…" }.`,
    );
  if (quote && paths.length === 0)
    throw new TypeError(`${name}.quote must come with ${name}.paths, the files in which the line can be.`);
  const named = typeof replaces === 'string' ? [replaces] : replaces;
  const unknown = named.find((id) => !known.decisionIds.has(id));
  if (unknown !== undefined)
    throw new TypeError(
      `${name}.replaces must name decisions of this thread by their id, as run.inherited.decisions has them; there is no ${show(unknown)}.`,
    );
  return {
    text: text.trim(),
    source: toSource(`${name}.source`, source, known),
    isTrusted: trusted,
    subject: subject?.trim() ?? null,
    replaces: [...new Set(named)],
    paths: [...new Set(paths)],
    quote: quote?.trim() ?? null,
  };
}

function toSource(
  name: string,
  source: NonNullable<DecisionInput['source']>,
  { comments, request }: KnownSources,
): DecisionSource {
  if (source === 'agent') return { kind: 'agent' };
  if (source === 'thread') return { kind: 'thread', sha256: request };
  checkOptions(name, source, commentExpectations, ['comment']);
  const { comment: commentId, sha256: given } = source;
  return { kind: 'comment', commentId, sha256: given ?? comments?.get(commentId) ?? null };
}
