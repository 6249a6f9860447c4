import { toCodeSpan } from '../outgoing/code-span.ts';
import { formatReference } from './change-request-words.ts';
import { fitBetween, toWellFormedSlice } from './fit-text.ts';
import type { Locale } from './locale.ts';
import type { RunFacts } from './run-parts.ts';

export interface ChangeRequestSubject {
  readonly number: number;
  readonly title: string;
  readonly finalText: string;
  readonly changedFiles: readonly string[];
  readonly locale: Locale;
}

/** GitHub refuses longer titles; GitLab's adapter puts its mark of a draft before them. */
const maxTitleChars = 250;
const maxListedFiles = 50;
/** Of the list of files; deep paths are long. */
const maxListChars = 20_000;

const words: Readonly<Record<Locale, { summary: string; files: string; more: (count: number) => string }>> = {
  ja: { summary: '## 概要', files: '## 変更したファイル', more: (count) => `- ほか ${count} 件` },
  en: { summary: '## Summary', files: '## Changed files', more: (count) => `- and ${count} more` },
};

/** Title and body of the draft; the body closes the issue when it is merged. */
export function formatChangeRequest(subject: ChangeRequestSubject): { title: string; body: string } {
  const { number, locale, finalText } = subject;
  const text = words[locale];
  const files = listFiles(subject.changedFiles, text.more);
  return {
    title: toWellFormedSlice(`${subject.title.trim() || `#${number}`} (#${number})`, maxTitleChars),
    body: fitBetween(finalText, {
      locale,
      compose: (summary) => [`Closes #${number}`, text.summary, summary, text.files, files].join('\n\n'),
    }),
  };
}

function listFiles(paths: readonly string[], more: (count: number) => string): string {
  const lines: string[] = [];
  let chars = 0;
  for (const path of paths.slice(0, maxListedFiles)) {
    const line = `- ${toCodeSpan(path)}`;
    chars += line.length + 1;
    if (chars > maxListChars) break;
    lines.push(line);
  }
  const hidden = paths.length - lines.length;
  return (hidden > 0 ? [...lines, more(hidden)] : lines).join('\n');
}

/** The commit's message. Its subject is in no stranger's words: those of a title could skip pipelines or close issues. */
export function formatCommitMessage(subject: Pick<RunFacts, 'kind' | 'number'>): string {
  return `Work on ${formatReference(subject.kind, subject.number)}\n`;
}
