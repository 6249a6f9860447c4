import type { Thread } from '../state/model.ts';
import type { Qualifier, Search } from './parse-search.ts';

type Test = (thread: Thread, value: string) => boolean;

const states: Readonly<Record<string, (thread: Thread) => boolean>> = {
  open: ({ state }) => state === 'open',
  closed: ({ state }) => state === 'closed',
  merged: ({ pull }) => Boolean(pull?.mergedAt),
  unmerged: ({ pull }) => pull !== null && !pull.mergedAt,
  draft: ({ pull }) => Boolean(pull?.draft),
  issue: ({ pull }) => pull === null,
  pr: ({ pull }) => pull !== null,
  'pull-request': ({ pull }) => pull !== null,
  public: ({ repository }) => !repository.private,
  private: ({ repository }) => repository.private,
};

const tests: Readonly<Record<string, Test>> = {
  is: (thread, value) => states[value.toLowerCase()]?.(thread) ?? false,
  type: (thread, value) => states[value.toLowerCase()]?.(thread) ?? false,
  state: (thread, value) => thread.state === value.toLowerCase(),
  label: (thread, value) =>
    value
      .toLowerCase()
      .split(',')
      .some((label) => thread.labels.has(label.replaceAll('"', ''))),
  author: ({ author }, value) => author.login.toLowerCase() === value.toLowerCase(),
  assignee: ({ assignees }, value) =>
    value === '*' ? assignees.size > 0 : assignees.has(value.toLowerCase()),
  commenter: ({ comments }, value) =>
    [...comments.values()].some(({ author }) => author.login.toLowerCase() === value.toLowerCase()),
  no: (thread, value) =>
    value === 'label' ? thread.labels.size === 0 : value !== 'assignee' || thread.assignees.size === 0,
  created: ({ createdAt }, value) => isWithin(createdAt, value),
  updated: ({ updatedAt }, value) => isWithin(updatedAt, value),
  closed: ({ closedAt }, value) => closedAt !== null && isWithin(closedAt, value),
};

/** Checks whether a thread has all the words (in title, body or comments, unless `in:` narrows it) and passes all qualifiers. */
export function isMatch(thread: Thread, search: Search): boolean {
  const passes = ({ name, value, negated }: Qualifier) => {
    const test = tests[name];
    return !test || test(thread, value) !== negated;
  };
  if (!search.qualifiers.every(passes)) return false;
  const text = searchedText(thread, search);
  return search.words.every((word) => text.includes(word));
}

function searchedText(thread: Thread, search: Search): string {
  const places = search.qualifiers
    .filter(({ name }) => name === 'in')
    .flatMap(({ value }) => value.split(','));
  const isIn = (place: string) => places.length === 0 || places.includes(place);
  const comments = isIn('comments') ? [...thread.comments.values()].map(({ body }) => body) : [];
  const parts = [isIn('title') ? thread.title : '', isIn('body') ? (thread.body ?? '') : '', ...comments];
  return parts.join('\n').toLowerCase();
}

/** `>=2024-01-01`, `<2024-01-01T00:00:00Z`, `2024-01-01..2024-02-01`, `2024-01-01`. */
function isWithin(time: string, range: string): boolean {
  const [from = '', to] = range.split('..');
  if (to !== undefined)
    return (from === '*' || time >= from) && (to === '*' || time.slice(0, to.length) <= to);
  const [, operator = '', bound = ''] = /^(>=|<=|>|<)?(.*)$/.exec(range) ?? [];
  const cut = time.slice(0, bound.length);
  if (operator === '>=') return cut >= bound;
  if (operator === '<=') return cut <= bound;
  if (operator === '>') return cut > bound;
  return operator === '<' ? cut < bound : cut === bound;
}
