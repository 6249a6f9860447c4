const tag = /<(\/?)(?:think(?:ing)?|thought|reasoning)>/g;

/**
 * What a model says without what it thinks aloud. A closing tag without its opening one ends thoughts that began with
 * the answer (templates put the opening tag into the prompt); thoughts that never end reach to the end. Linear in
 * the length of the text.
 */
export function stripThinking(text: string): string {
  const said: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: found, 1: slash, index } of text.matchAll(tag)) {
    const isClosing = slash !== '';
    if (depth === 0 && isClosing) said.length = 0;
    else if (depth === 0 && index > from) said.push(text.slice(from, index));
    depth = isClosing ? Math.max(0, depth - 1) : depth + 1;
    from = index + found.length;
  }
  if (depth === 0) said.push(text.slice(from));
  return said.join('').trim();
}
