interface CommentMarks {
  /** From where the end is to be looked for: `<!-->` is a whole comment. */
  readonly from: number;
  readonly ending: string;
}

const letter = /[A-Za-z]/;

/** How the comment ends that begins at an index; what HTML calls otherwise but shows as little is one, too. */
export function findCommentMarks(content: string, start: number): CommentMarks | null {
  const sign = content.charAt(start + 1);
  if (sign === '?') return { from: start + 2, ending: '?>' };
  if (sign !== '!') return null;
  if (content.startsWith('--', start + 2)) return { from: start + 2, ending: '-->' };
  if (content.startsWith('[CDATA[', start + 2)) return { from: start + 9, ending: ']]>' };
  return letter.test(content.charAt(start + 2)) ? { from: start + 2, ending: '>' } : null;
}
