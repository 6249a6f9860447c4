const tag = /<(\/?)(?:think(?:ing)?|thought|reasoning)>/g;

/**
 * What a model says without what it thinks aloud. A closing tag without its opening one ends thoughts that began with
 * the answer (templates put the opening tag into the prompt); thoughts that never end reach to the end. A tag in a
 * string of a JSON object is a part of what is said. Linear in the length of the text.
 */
export function stripThinking(text: string): string {
  const said: string[] = [];
  let json: JsonPlace = { at: 0, braces: 0, isString: false };
  let depth = 0;
  let from = 0;
  for (const { 0: found, 1: slash, index } of text.matchAll(tag)) {
    if (depth === 0) {
      moveTo(index, text, json);
      if (json.isString) continue;
      if (slash === '') said.push(text.slice(from, index));
      else {
        said.length = 0;
        json = { at: 0, braces: 0, isString: false };
      }
    }
    depth = slash === '' ? depth + 1 : Math.max(0, depth - 1);
    from = index + found.length;
    json.at = from;
  }
  if (depth === 0) said.push(text.slice(from));
  return said.join('').trim();
}

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A place in what is said, and whether it is in an object, and there in a string. */
interface JsonPlace {
  at: number;
  braces: number;
  isString: boolean;
}

function moveTo(end: number, text: string, json: JsonPlace): void {
  for (; json.at < end; json.at += 1) {
    const code = text.charCodeAt(json.at);
    if (json.isString) {
      if (code === backslash) json.at += 1;
      // No string of JSON goes over a line: a quote that stands alone in prose hides the tags of its line at most.
      else json.isString = code !== quote && code !== newline;
    } else if (code === openBrace) json.braces += 1;
    else if (code === closeBrace) json.braces = Math.max(0, json.braces - 1);
    else if (code === quote) json.isString = json.braces > 0;
  }
}
