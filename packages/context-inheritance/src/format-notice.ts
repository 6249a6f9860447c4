import type { Locale } from '@agent/text';
import { formatTime } from '@agent/text';
import type { InheritanceContext, InheritedKind } from './model.ts';
import { shortenUuid } from './shorten-uuid.ts';
import { inheritanceTexts } from './texts.ts';

/** Contents of the notice on the thread, and its language. */
export interface NoticeOptions {
  /** What was really taken over, as `fitInheritance` says it. */
  readonly kinds: readonly InheritedKind[];
  /** Default `en`. */
  readonly locale?: Locale;
  /** An IANA name; default `UTC`. */
  readonly timeZone?: string;
}

/** The comment that says at a run's start that it takes over an earlier one. @see seed 002 §6.2, decision C13 */
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
