import { cleanName, type Locale } from '@agent/text';
import { en, type ObserveTexts } from './observe-texts.en.ts';
import { ja } from './observe-texts.ja.ts';
import type { ReportedWrite } from './observed-write.ts';

const texts: Readonly<Record<Locale, ObserveTexts>> = { en, ja };

/** A write that was not made, in words for people. */
export interface DescribedWrite {
  /** The write and its place, on one line. */
  readonly head: string;
  /** What would have been written, whole; empty where `head` says it all. */
  readonly content: string;
}

/**
 * Describes a write that was not made. Names and texts of people are in it as they are: clean both before a terminal shows them.
 *
 * @example
 * const { head, content } = describeWrite(write, 'en');
 */
export function describeWrite(write: ReportedWrite, locale: Locale): DescribedWrite {
  const { head, content } = describe(write, texts[locale]);
  return { head, content: content.join('\n') };
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
      const { url, title, body } = observed;
      const head = url === null ? text.draft(where, branches) : text.draftBody(where, url, branches);
      return { head, content: [...(url === null ? [text.title(title), ''] : []), body] };
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
      const files = observed.files.map(({ path, change }) => `${text.changes[change]} ${cleanName(path)}`);
      const head = text.push(`${host}/${observed.repository}`, observed.branch);
      return { head, content: [...commits, '', ...files] };
    }
  }
}
