const named: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\n': '\n' };
const hex = /[0-9a-f]{4}/iy;

/** The content of a JSON string as it is meant, also where escapes are wrong or break off: the sign behind the backslash stays. */
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
      hex.lastIndex = from;
      if (hex.test(raw)) {
        text += String.fromCharCode(Number.parseInt(raw.slice(from, from + 4), 16));
        from += 4;
      }
    } else text += named[sign] ?? sign;
    at = raw.indexOf('\\', from);
  }
  return text + raw.slice(from);
}
