/**
 * JSON that breaks off, parsed as far as it goes: what is open is closed, and where that does not do, what follows
 * the last comma is left out. Undefined where there is nothing to be had. Linear in the length of the text.
 */
export function parseBrokenOff(text: string): unknown {
  const whole = walk(text);
  const ended = parse(`${text}${whole.isString ? '"' : ''}${whole.closers}`);
  if (ended !== undefined || whole.lastComma === null) return ended;
  const shorter = text.slice(0, whole.lastComma);
  return parse(`${shorter}${walk(shorter).closers}`);
}

interface Walk {
  readonly isString: boolean;
  /** What closes all that is open. */
  readonly closers: string;
  /** Outside of strings. */
  readonly lastComma: number | null;
}

function walk(text: string): Walk {
  const open: number[] = [];
  let isString = false;
  let lastComma: number | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === signs.backslash) at += 1;
      else if (code === signs.quote) isString = false;
    } else if (code === signs.quote) isString = true;
    else if (code === signs.openBrace || code === signs.openBracket) open.push(code);
    else if (code === signs.closeBrace || code === signs.closeBracket) open.pop();
    else if (code === signs.comma) lastComma = at;
  }
  const closers = open.reverse().map((code) => (code === signs.openBrace ? '}' : ']'));
  return { isString, closers: closers.join(''), lastComma };
}

const signs = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
