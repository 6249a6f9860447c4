const names = ['think>', 'thinking>', 'thought>', 'reasoning>'];
const slash = 0x2f;

/**
 * What a model says without what it thinks aloud. A closing tag without its opening one ends thoughts that began with
 * the answer (templates put the opening tag into the prompt); thoughts that never end reach to the end. Linear in
 * the length of the text.
 */
export function stripThinking(text: string): string {
  const said: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const isClosing = text.charCodeAt(at + 1) === slash;
    const start = isClosing ? at + 2 : at + 1;
    // Most signs of this kind begin no tag of thoughts: looking for names comes second.
    const name = isTagStart(text.charCodeAt(start))
      ? names.find((one) => text.startsWith(one, start))
      : undefined;
    if (name === undefined) continue;
    if (depth === 0 && isClosing) said.length = 0;
    else if (depth === 0 && at > from) said.push(text.slice(from, at));
    depth = isClosing ? Math.max(0, depth - 1) : depth + 1;
    from = start + name.length;
  }
  if (depth === 0) said.push(text.slice(from));
  return said.join('').trim();
}

/** `t` or `r`. */
function isTagStart(code: number): boolean {
  return code === 0x74 || code === 0x72;
}
