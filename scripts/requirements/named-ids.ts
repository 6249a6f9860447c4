import { ID } from './parse-requirements.ts';

const BRACKETS_AT_END = /((?:\s*\[[^[\]]*\])+)\s*$/;
const RANGE = /^(\S+?)\s*(?:\.\.\.?|…)\s*(\S+)$/;

/**
 * The requirement ids at the end of a test's name: `[CC-1]`, `[CC-1] [CC-2]`, `[CC-1, CC-2]`, `[CC-1..CC-3]`.
 * Brackets with anything else in them are a part of the name.
 */
export function parseNamedIds(testName: string): readonly string[] {
  const brackets = BRACKETS_AT_END.exec(testName)?.[1] ?? '';
  return [...brackets.matchAll(/\[([^[\]]*)\]/g)].flatMap(([, content = '']) => {
    const groups = content.split(',').map((item) => expandIds(item.trim()));
    return groups.every((group) => group !== null) ? groups.flat() : [];
  });
}

/** One id, or a range of them; null for anything else. */
export function expandIds(item: string): readonly string[] | null {
  if (ID.test(item)) return [item];
  const [, from = '', to = ''] = RANGE.exec(item) ?? [];
  const [, family, mark = '', first] = ID.exec(from) ?? [];
  const last = /^\d+$/.test(to) ? to : ID.exec(to)?.[3];
  const isSameKind = to === last || to === `${family}${mark}${last}`;
  if (first === undefined || last === undefined || !isSameKind || Number(last) < Number(first)) return null;
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => `${family}${mark}${Number(first) + index}`);
}
