import type { ReportedWrite } from '@agent/orchestrator';
import type { Locale } from '@agent/text/locale';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import { en, type ObserveTexts } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const texts: Readonly<Record<Locale, ObserveTexts>> = { en, ja };

/** Formats a write that was not made for people: what and where on the first line, its content whole below that. Ends with a line break. */
export function formatWrite(write: ReportedWrite, locale: Locale): string {
  const { head, content } = describe(write, texts[locale]);
  const lines = content.length === 0 ? [] : cleanText(content.join('\n')).split('\n');
  return [`[observe] ${cleanLine(head)}`, ...lines.map((line) => `    | ${line}`), ''].join('\n');
}

interface Described {
  readonly head: string;
  readonly content: readonly string[];
}

const only = (head: string): Described => ({ head, content: [] });

function describe({ thread, host, observed }: ReportedWrite, text: ObserveTexts): Described {
  const where = thread ?? host;
  switch (observed.write) {
    case 'comment': {
      const say = observed.internal ? text.internalNote : text.comment;
      return { head: say(where, observed.topic), content: [observed.body] };
    }
    case 'edit':
      return { head: text.edit(where, observed.topic), content: [observed.body] };
    case 'removal':
      return only(text.removal(where, observed.commentId));
    case 'reaction':
      return only(text.reaction(where, observed));
    case 'label':
      return only(text.label[observed.change](where, observed.label));
    case 'assignment':
      return only(text.assignment[observed.change](where, observed.login));
    case 'draft': {
      const branches = `${observed.headBranch} → ${observed.baseBranch}`;
      const { number, title, body } = observed;
      const head = number === null ? text.draft(where, branches) : text.draftBody(number, branches);
      return { head, content: [...(number === null ? [text.title(title), ''] : []), body] };
    }
    case 'review-request':
      return only(text.reviewRequest(where, observed.login));
    case 'review-answer':
      return { head: text.reviewAnswer(where, observed.reviewThread), content: [observed.body] };
    case 'review-resolution':
      return only(text.reviewResolution(where, observed.reviewThread));
    case 'check-rerun':
      return only(text.checkRerun(where, observed.check));
    case 'repository-label':
      return only(text.repositoryLabel(`${host}/${observed.repository}`, observed.label));
    case 'push': {
      const commits = observed.commits.map(({ sha, message }) => `${sha.slice(0, 10)} ${message}`);
      const files = observed.files.map(({ path, change }) => `${text.changes[change]} ${cleanLine(path)}`);
      const head = text.push(`${host}/${observed.repository}`, observed.branch);
      return { head, content: [...commits, '', ...files] };
    }
  }
}
