/** A part of a comment under one heading. */
export interface CommentSection {
  /** Empty for the part before the first heading. */
  readonly heading: string;
  readonly lines: readonly string[];
}

/** Reads a comment as plain text, without hidden comments and folded details. Bullets and check boxes become `•`, `☐` and `☑`. */
export function readComment(body: string): readonly CommentSection[] {
  const sections = [{ heading: '', lines: [] as string[] }];
  for (const line of showMarkdown(body).split('\n')) {
    const [, heading] = /^#{2,3} (.+)$/.exec(line) ?? [];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else if (line.trim() !== '') sections.at(-1)?.lines.push(line.replace(/^#+ /, ''));
  }
  return sections.filter(({ heading, lines }) => heading !== '' || lines.length > 0);
}

/** The step of a plan on this line, without a note in parentheses at its end; null for any other line. */
export function stepOf(line: string): string | null {
  return /^\s*[☐☑] (.+?)(?: \([^()]*\))?$/.exec(line)?.[1] ?? null;
}

function showMarkdown(body: string): string {
  return body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<details>[\s\S]*?<\/details>/g, '')
    .replace(/^(\s*)- \[ \] /gm, '$1☐ ')
    .replace(/^(\s*)- \[x\] /gm, '$1☑ ')
    .replace(/^(\s*)- /gm, '$1• ')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/(^|\s)\*(\S.*?)\*$/gm, '$1$2');
}
