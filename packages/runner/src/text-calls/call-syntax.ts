import type { ToolNames } from './tool-names.ts';

const callStart =
  /(?:^|\n)[ \t]{0,80}(?:\[[ \t]{0,9})?(?:>>> )?(?:\*{0,2}(?:action|tool|function|tool call|calling(?: tool)?)\*{0,2}:\*{0,2}[ \t]{0,9})?(?:\w{1,40} = )?(?:(?:await|return|print\(|call:?)[ \t]{0,9}){0,2}((?:[\w$]{1,40}\.){0,3}[\w-]{1,80})[ \t]?\(/gi;
const typed = /:\s*(?:string|str|number|int|boolean|bool|any|unknown|dict|list|object|Path)\b/;

/** A line that is a call such as `read_file(path="a.js")`: with values in place of names of parameters. */
export function hasCallLine(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(callStart)].some(({ 0: found, 1: name, index }) => {
    if (!names.has(name)) return false;
    const start = index + found.length;
    const end = findClosing(prose, start);
    const values = prose.slice(start, end);
    if (
      typed.test(values) ||
      !(values.trim() === '' || /["'\d{[]|\b(?:true|false|null|none)\b/i.test(values))
    )
      return false;
    return /^[)\]\s;,]*(?:\n|$|[\w.]{1,80}\()/.test(prose.slice(end, end + 200));
  });
}

const maxCallChars = 20_000;

function findClosing(text: string, start: number): number {
  let depth = 1;
  let quote = '';
  const last = Math.min(text.length, start + maxCallChars);
  for (let at = start; at < last; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) return at;
  }
  return last;
}

/** A tag that is named as a tool and opens a line or has its closing tag. */
export function hasTagCall(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(/<([\w:.-]{1,80})(?:\s[^<>\n]{0,200})?(\/?)>/g)].some(
    ({ 0: mark, 1: name = '', 2: slash, index }) => {
      if (!names.has(name)) return false;
      const behind = prose.slice(index + mark.length, index + mark.length + maxCallChars);
      const isLine =
        prose
          .slice(Math.max(0, index - 40), index)
          .split('\n')
          .at(-1)
          ?.trim() === '';
      if (slash === '/') return isLine && /\s/.test(mark);
      return behind.includes(`</${name}>`) || (isLine && /^\s*(?:[<{]|\n)/.test(behind));
    },
  );
}

/** A name behind a label or a namespace, followed by its arguments: `Action: read_file`, then `Action Input: {…}`. */
const label =
  /(?:^|\n|\bto=|✿)[ \t*]{0,80}(?:(?:action|tool|function|tool[ _]?name|tool[ _]?call|call|name|recipient)[ \t*✿]{0,9}[:=：][ \t*]{0,9})?[`"'[]?((?:[\w$]{1,40}\.){0,3}[\w-]{1,80})(?::\d{1,4})?[`"'\]]?[ \t*]{0,9}(?=[^{\n]{0,40}\{|\n)/giu;
const argumentLabel =
  /^[^\p{L}\p{N}]{0,8}(?:(?:action[ _]?input|tool[ _]?input|inputs?|arguments?|args|parameters?|params|json|code|path|command)\b[^{\p{L}\n]{0,8})/iu;

export function hasLabeledCall(prose: string, names: ToolNames): boolean {
  return [...prose.matchAll(label)].some(({ 0: found, 1: name, index }) => {
    if (!names.has(name)) return false;
    const behind = prose.slice(index + found.length, index + found.length + 400).replace(/^\s+/, '');
    if (/^(?:<[^<>\n]{1,60}>\s*){0,3}\{\s*["'}]/.test(behind)) return true;
    const isLabeled = /[:=：]/.test(found.slice(0, found.lastIndexOf(name ?? '')));
    const rest = behind.replace(argumentLabel, '');
    return rest !== behind && (/^\s*[{\uE000]/.test(rest) || (isLabeled && /^\s*\S/.test(rest)));
  });
}

/** Tells whether each line that is not within the parentheses of a call begins one. */
export function findCallEnds(text: string, names: ToolNames): boolean {
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (/^[\s)\];,]*$/.test(rest)) return true;
    const [found = '', name] =
      new RegExp(callStart.source.replace('(?:^|\\n)', '^[\\s)\\];,]*'), 'i').exec(rest) ?? [];
    if (found === '' || !names.has(name)) return false;
    at = findClosing(text, at + found.length) + 1;
  }
  return true;
}
