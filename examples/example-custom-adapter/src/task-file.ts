import type { Account, Comment } from '@agent/platforms';
import { type Document, parseDocument } from 'yaml';

/** One task: YAML front matter, the description, and a section for each comment. */
export interface TaskFile {
  /** A document and not data, so that what people wrote there stays, remarks included. */
  readonly front: Document;
  readonly body: string;
  readonly comments: readonly Comment[];
}

export const agent = { id: 'agent', login: 'agent', kind: 'bot' } as const;

/** A folder has no accounts: whoever signs as somebody is taken for them. */
export const toAccount = (login: string): Account =>
  login === agent.login ? agent : { id: login, login, kind: 'person' };

const heading = /^## Comment (\S+) by @(\S+) at ([^,\n]+?)(?:, edited (.+))?$/m;

/** @throws Error that says what is wrong with the text */
export function parseTaskFile(text: string): TaskFile {
  const plain = text.replaceAll('\r\n', '\n');
  const [all = '', yaml = ''] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(plain) ?? [];
  const front = parseDocument(yaml);
  if (front.errors[0] !== undefined) throw front.errors[0];
  const [body = '', ...parts] = plain.slice(all.length).split(heading);
  const comments: Comment[] = [];
  for (; parts.length > 0; parts.splice(0, 5)) {
    const [id = '', login = '', created = '', edited, text = ''] = parts;
    const times = { createdAt: toTime(created), updatedAt: edited === undefined ? null : toTime(edited) };
    const comment = { id, author: toAccount(login), body: fromSection(text), ...times };
    comments.push({ ...comment, url: null, visibility: 'public', subject: null });
  }
  return { front, body: fromSection(body), comments };
}

export function formatTaskFile({ front, body, comments }: TaskFile): string {
  const sections = comments.map(({ id, author, createdAt, updatedAt, body: text }) => {
    const edited = updatedAt === null ? '' : `, edited ${updatedAt}`;
    return `\n## Comment ${id} by @${author?.login} at ${createdAt}${edited}\n\n${toSection(text)}\n`;
  });
  return `---\n${front.toString().trimEnd()}\n---\n\n${toSection(body)}\n${sections.join('')}`;
}

/** A line that would begin a comment of its own gets a backslash: nobody is quoted into having said something. */
const toSection = (text: string) => text.trim().replaceAll(/^\\*(?=## Comment \S+ by @)/gm, '\\$&');
const fromSection = (text: string) => text.trim().replaceAll(/^\\(?=\\*## Comment \S+ by @)/gm, '');

function toTime(text: string): string {
  const time = Date.parse(text.trim());
  if (Number.isNaN(time))
    throw new Error(`"${text.trim()}" is not a valid time; write it like 2026-01-31 09:30`);
  return new Date(time).toISOString();
}
