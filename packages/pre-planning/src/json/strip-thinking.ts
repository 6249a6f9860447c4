const anyTag = /<\/?(?:think(?:ing)?|thought|reasoning)>/;
const tagHere = /<(\/?)(?:think(?:ing)?|thought|reasoning)>/y;

/**
 * What a model says without what it thinks aloud. A closing tag without its opening one ends thoughts that began with
 * the answer (templates put the opening tag into the prompt); thoughts that never end reach to the end. A tag in a
 * string of a JSON object is a part of what is said. One pass over the text.
 */
export function stripThinking(text: string): string {
  if (!anyTag.test(text)) return text;
  const said: string[] = [];
  const json: JsonPlace = { braces: 0, isString: false };
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== lessThan || json.isString) {
      if (depth === 0) at += moveOn(json, code);
      continue;
    }
    tagHere.lastIndex = at;
    const [tag, slash] = tagHere.exec(text) ?? [];
    if (tag === undefined) continue;
    if (depth === 0 && slash === '') said.push(text.slice(from, at));
    else if (depth === 0) {
      said.length = 0;
      json.braces = 0;
    }
    depth = slash === '' ? depth + 1 : Math.max(0, depth - 1);
    from = at + tag.length;
    at = from - 1;
  }
  if (depth === 0) said.push(text.slice(from));
  return said.join('').trim();
}

const newline = 0x0a;
const quote = 0x22;
const lessThan = 0x3c;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

interface JsonPlace {
  braces: number;
  isString: boolean;
}

/** Follows one sign of what is said; gives back how many more belong to it. */
function moveOn(json: JsonPlace, code: number): 0 | 1 {
  if (json.isString) {
    if (code === backslash) return 1;
    // No string of JSON goes over a line: a quote that stands alone in prose hides the tags of its line at most.
    json.isString = code !== quote && code !== newline;
  } else if (code === openBrace) json.braces += 1;
  else if (code === closeBrace) json.braces = Math.max(0, json.braces - 1);
  else if (code === quote) json.isString = json.braces > 0;
  return 0;
}
