import { type ParseResult, parseSync } from 'oxc-parser';

const parsed = new Map<string, ParseResult>();

/** The syntax tree of a source; each text is parsed once. */
export function parseSource(path: string, text: string): ParseResult {
  const key = `${path}\0${text}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const result = parseSync(path, text);
  parsed.set(key, result);
  return result;
}

/** 1 for the first line. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
