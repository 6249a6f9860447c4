const named: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Signs before which a backslash only says that they belong to the text, as JSON and other languages write them. */
const plain = '"\\/\'“”„＂‘’`´\n';
const hex = /[0-9a-f]{4}/iy;
const brokenOff = /[0-9a-f]{0,3}$/iy;

/**
 * The content of a JSON string as it is meant, also where escapes are wrong or break off. A backslash before a sign that
 * JSON does not escape is one of the text: models write patterns and paths as they are (`\w+`, `src\lib`).
 */
export function unescapeText(raw: string): string {
  let at = raw.indexOf('\\');
  if (at === -1) return raw;
  let text = '';
  let from = 0;
  while (at !== -1) {
    const sign = raw.charAt(at + 1);
    text += raw.slice(from, at);
    from = at + 2;
    if (sign === 'u') {
      if (matchesAt(hex, raw, from)) {
        text += String.fromCharCode(Number.parseInt(raw.slice(from, from + 4), 16));
        from += 4;
      } else if (matchesAt(brokenOff, raw, from)) from = raw.length;
      else text += '\\u';
    } else text += named[sign] ?? (plain.includes(sign) ? sign : `\\${sign}`);
    at = raw.indexOf('\\', from);
  }
  return text + raw.slice(from);
}

function matchesAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}
