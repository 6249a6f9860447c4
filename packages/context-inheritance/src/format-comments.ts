import { formatTime, type Locale } from '@agent/text';
import { fenceValue, shortenUuid } from './format-values.ts';
import type { InheritanceContext, InheritedKind, PreviousRunStatus } from './model.ts';
import { inheritanceTexts } from './texts.ts';

/** Contents of the notice on the thread, and its language. */
export interface NoticeOptions {
  /** Kinds of content that were really inherited, as `fitInheritance` says. */
  readonly kinds: readonly InheritedKind[];
  /** Default `en`. */
  readonly locale?: Locale;
  /** An IANA name; default `UTC`. */
  readonly timeZone?: string;
}

/**
 * Writes the comment that says at a run's start what it inherits. @see seed 002 §6.2, decision C13
 *
 * @example
 * formatInheritanceNotice(context, { kinds: ['summary'], timeZone: 'Asia/Tokyo' }); // '📋 **Inherited the context of earlier runs** …'
 */
export function formatInheritanceNotice(
  context: Pick<InheritanceContext, 'inheritedFromUuid' | 'previousContexts'>,
  { kinds, locale = 'en', timeZone = 'UTC' }: NoticeOptions,
): string {
  const texts = inheritanceTexts[locale].prompt;
  return texts.notice({
    uuid: shortenUuid(context.inheritedFromUuid),
    time: formatTime(context.previousContexts[0]?.completedAt ?? '', timeZone),
    kinds: kinds.map((kind) => texts.kinds[kind]).join(texts.kindSeparator),
  });
}

const summaryCharacters = 200;

/** One line of the history that `/show-history` asks for. */
export interface HistoryItem {
  readonly uuid: string;
  readonly status: PreviousRunStatus;
  /** ISO 8601, UTC; null for a run that has not ended. */
  readonly completedAt: string | null;
  readonly inheritanceDepth: number;
  /** Secrets removed; null when the run left none. */
  readonly summary: string | null;
}

/** Options of the history of a task. */
export interface HistoryOptions {
  /** Default `en`. */
  readonly locale?: Locale;
  /** An IANA name; default `UTC`. */
  readonly timeZone?: string | undefined;
}

/**
 * The comment that answers `/show-history`: runs in the order given, each with the first 200 characters of its
 * summary, as code, so that it names nobody and links nothing. @see seed 002 §6.1, decision C8
 *
 * @example
 * formatHistory(await manager.listHistory(thread), { timeZone: 'Asia/Tokyo' }); // '## 📜 Processing history …'
 */
export function formatHistory(
  items: readonly HistoryItem[],
  { locale = 'en', timeZone = 'UTC' }: HistoryOptions = {},
): string {
  const texts = inheritanceTexts[locale].history;
  const lines = items.map(({ uuid, status, completedAt, inheritanceDepth, summary }) => {
    const time = completedAt === null ? texts.notEnded : formatTime(completedAt, timeZone);
    const head = `- **#${shortenUuid(uuid)}** ${texts.status[status]}, ${time}, ${texts.depth(inheritanceDepth)}`;
    return `${head}\n  ${summary === null ? texts.noSummary : fenceValue(toBeginning(summary))}`;
  });
  return `${texts.title}\n\n${lines.length === 0 ? texts.none : lines.join('\n')}`;
}

function toBeginning(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  const beginning = characters.slice(0, summaryCharacters).join('');
  return characters.length > summaryCharacters ? `${beginning}…` : beginning;
}
