import { formatReference } from './change-request-words.ts';
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

const words: Readonly<Record<Locale, { summary: string; files: string; more: (count: number) => string }>> = {
  ja: { summary: '## 概要', files: '## 変更したファイル', more: (count) => `- ほか ${count} 件` },
  en: { summary: '## Summary', files: '## Changed files', more: (count) => `- and ${count} more` },
};

/** Title and body of the draft; the body closes the issue when it is merged. */
export function formatChangeRequest(subject: ChangeRequestSubject): { title: string; body: string } {
  const text = words[subject.locale];
  const listed = subject.changedFiles.slice(0, maxListedFiles).map((file) => `- \`${file}\``);
  const hidden = subject.changedFiles.length - listed.length;
  const files = hidden > 0 ? [...listed, text.more(hidden)] : listed;
  return {
    title: toWellFormedSlice(
      `${subject.title.trim() || `#${subject.number}`} (#${subject.number})`,
      maxTitleChars,
    ),
    body: [`Closes #${subject.number}`, text.summary, subject.finalText, text.files, files.join('\n')].join(
      '\n\n',
    ),
  };
}

/** The commit's message: the same title, and where it comes from. */
export function formatCommitMessage(subject: Pick<RunFacts, 'kind' | 'number' | 'title'>): string {
  const reference = formatReference(subject.kind, subject.number);
  const title = toWellFormedSlice(subject.title.replace(/\s+/g, ' ').trim() || `Work on ${reference}`, 72);
  return `${title}\n\nRefs ${reference}\n`;
}

/** Cuts without leaving half a surrogate pair at the end. */
function toWellFormedSlice(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
