import { basename } from 'node:path';
import type { Locale } from '@agent/text';
import { formatReference } from './change-request-words.ts';
import { toWellFormedSlice } from './fit-text.ts';
import type { RunFacts } from './run.ts';

/** GitHub refuses longer titles; GitLab's adapter puts its mark of a draft before them. */
const maxTitleChars = 250;
const maxSubjectChars = 72;

/** What stands in a request that more people read than the thread that it rests on. */
export const neutralText: Readonly<Record<Locale, string>> = {
  en: 'What was asked, done and found out stands on the issue, for those who may read it.',
  ja: '依頼の内容、実施したこと、わかったことは、閲覧できる方に向けて Issue に記載しています。',
};

/** The title that a request is opened with; without a word of the thread where more people read the request. */
export function formatRequestTitle(
  { number, title }: Pick<RunFacts, 'number' | 'title'>,
  { isNeutral }: { readonly isNeutral: boolean },
): string {
  const shown = title.trim();
  return isNeutral || shown === ''
    ? `Work on issue #${number}`
    : toWellFormedSlice(`${shown} (#${number})`, maxTitleChars);
}

/**
 * The message of a commit: a subject of its own, made of what it changes and of no word that anybody wrote, and where it comes
 * from.
 */
export function formatCommitMessage(
  { kind, number }: Pick<RunFacts, 'kind' | 'number'>,
  changedFiles: readonly string[],
): string {
  const reference = formatReference(kind, number);
  return `${formatSubject(reference, changedFiles)}\n\nRefs ${reference}\n`;
}

function formatSubject(reference: string, paths: readonly string[]): string {
  const others = paths.length - 1;
  const rest = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'file' : 'files'}`;
  const named = paths
    .flatMap((path) => [path, basename(path)])
    .filter((name) => /^[A-Za-z0-9_.][A-Za-z0-9_./+-]*$/.test(name))
    .map((name) => `Change ${name}${rest} (${reference})`);
  return named.find((subject) => subject.length <= maxSubjectChars) ?? `Work on ${reference}`;
}
