const tag = /<\/?(?:think|thinking|thought|reasoning)>/gi;

/**
 * What a model says without what it thinks aloud. A closing tag without its opening one ends thoughts that began with
 * the answer (templates put the opening tag into the prompt); thoughts that never end reach to the end. Linear in
 * the length of the text.
 */
export function stripThinking(text: string): string {
  const said: string[] = [];
  let depth = 0;
  let from = 0;
  const tags = new RegExp(tag);
  while (tags.test(text)) {
    const at = text.lastIndexOf('<', tags.lastIndex - 1);
    const isClosing = text.charCodeAt(at + 1) === slash;
    if (depth === 0 && isClosing) said.length = 0;
    else if (depth === 0) said.push(text.slice(from, at));
    depth = isClosing ? Math.max(0, depth - 1) : depth + 1;
    from = tags.lastIndex;
  }
  if (depth === 0) said.push(text.slice(from));
  return said.join('').trim();
}

const slash = 0x2f;
