import { type CommentSection, stepOf } from './read-comment.ts';

/** A line of a section, and whether an edit added or removed it. */
export interface ComparedLine {
  readonly mark: '│' | '+' | '-';
  readonly text: string;
}

/** Compares the lines of a section before and after an edit. A step that only got another id counts as the same. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const keys = after.map(toKey);
  const rest = [...before];
  const takeRemoved = (): ComparedLine[] => {
    const end = rest.findIndex((text) => keys.includes(toKey(text)));
    return rest.splice(0, end === -1 ? rest.length : end).map((text) => ({ mark: '-', text }));
  };
  const lines = after.flatMap((text): ComparedLine[] => {
    const removed = takeRemoved();
    if (rest[0] === undefined || toKey(rest[0]) !== toKey(text)) return [...removed, { mark: '+', text }];
    rest.shift();
    return [...removed, { mark: '│', text }];
  });
  return [...lines, ...takeRemoved()];
}

function toKey(line: string): string {
  return line.replace(/^(\s*[☐☑] )\w+: /, '$1');
}

/** Finds the section as it was before an edit: the one with the same heading, or the other plan. */
export function findSame(
  section: CommentSection,
  before: readonly CommentSection[],
): CommentSection | undefined {
  const same = before.find(({ heading }) => heading === section.heading);
  return same ?? (isPlan(section) ? before.find(isPlan) : undefined);
}

/** The steps of all plans in a comment. */
export function listSteps(comment: readonly CommentSection[]): readonly string[] {
  return comment.flatMap(({ lines }) => lines.flatMap((line) => stepOf(line) ?? []));
}

/** True for a section with steps. */
export function isPlan(section: CommentSection): boolean {
  return listSteps([section]).length > 0;
}
